import { expect } from 'chai';
import { columnsOf, summaryOf, usualDistance } from '../../web/charts/series.js';

const point = (ts: number, value = ts) => ({ ts, value, min: value - 1, max: value + 1 });

describe('the columns of a chart', () => {
  it('hold each value until the next and end with its own bucket', () => {
    const [x, value, min, max] = columnsOf([point(0), point(60), point(120)], 60);
    expect(x).to.deep.equal([0, 60, 120, 180]);
    expect(value).to.deep.equal([0, 60, 120, 120]);
    expect([min[0], max[0]]).to.deep.equal([-1, 1]);
  });

  it('break where readings are missing, and draw no line across', () => {
    const [x, value] = columnsOf([point(0), point(60), point(120), point(600), point(660)], 60);
    expect(x).to.deep.equal([0, 60, 120, 180, 390, 600, 660, 720]);
    expect(value).to.deep.equal([0, 60, 120, 120, null, 600, 660, 660]);
  });

  it('have no gap for a UPS that is polled every 30 s although a step is a second', () => {
    const points = Array.from({ length: 20 }, (_, index) => point(index * 30));
    expect(columnsOf(points, 1)[1].includes(null)).to.equal(false);
    expect(usualDistance(points, 1)).to.equal(30);
  });

  it('have no gap after one missed poll, and one after three', () => {
    const regular = [0, 1, 2, 3, 4, 5].map((ts) => point(ts));
    expect(columnsOf([...regular, point(7)], 1)[1].includes(null)).to.equal(false);
    expect(columnsOf([...regular, point(9)], 1)[1].includes(null)).to.equal(true);
  });

  it('are empty for a history without readings, whose summary is unknown', () => {
    expect(columnsOf([], 1)).to.deep.equal([[], [], [], []]);
    expect(summaryOf({ data: [] })).to.equal(null);
    expect(summaryOf({ data: [point(5), point(3)] })).to.deep.equal({ min: 2, max: 6, last: 3 });
  });
});
