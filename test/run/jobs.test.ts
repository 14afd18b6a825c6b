import { expect } from 'chai';
import { allFiles, batches, filesNamed, filesOf, jobsOf, shortName } from './jobs.js';
import { missingPromises } from './levels.js';
import { readTimes } from './times.js';

const files = allFiles();

describe('the jobs of a run of the tests', () => {
  it('contain every file once', () => {
    const played = jobsOf(files, readTimes(), true).flatMap((job) => (job.kind === 'tests' ? job.files : []));
    expect([...played].sort()).to.deep.equal([...files]);
  });

  it('are a process for each integration test, and few for the unit tests', () => {
    const jobs = jobsOf(files, readTimes(), false);
    const integration = jobs.filter(({ name }) => name.startsWith('integration/'));
    expect(integration).to.have.length(files.filter((file) => file.includes('/integration/')).length);
    expect(jobs.length - integration.length).to.be.below(60);
  });

  it('of the default level have every promise that is named, and no other integration test', () => {
    const names = filesOf('default', files).map(shortName);
    expect(missingPromises(names)).to.deep.equal([]);
    expect(names).not.to.include('simulation/outages');
    expect(names).not.to.include('integration/storage/two-years');
    expect(names).to.include.members(['simulation/sample', 'mutation/named-decisions', 'run/jobs']);
  });

  it('are chosen by a file or a folder, of the source or compiled', () => {
    const some = ['dist/test/run/jobs.test.js', 'dist/test/run/schedule.test.js', 'dist/test/runner.test.js'];
    expect(filesNamed(['test/run/jobs.test.ts'], some)).to.deep.equal(some.slice(0, 1));
    expect(filesNamed(['./dist/test/run/jobs.test.js'], some)).to.deep.equal(some.slice(0, 1));
    expect(filesNamed(['test/run/'], some)).to.deep.equal(some.slice(0, 2));
    expect(() => filesNamed(['test/nothing'], some)).to.throw('no file of tests test/nothing');
  });

  it('have batches of unit tests of about the same time', () => {
    const times = new Map(['a', 'b', 'c', 'd'].map((name) => [name, { wall: 7, cpu: 7 }]));
    const four = ['a', 'b', 'c', 'd'].map((name) => `dist/test/${name}.test.js`);
    expect(batches(four, times)).to.deep.equal([four.slice(0, 2), four.slice(2)]);
  });
});
