// Says in a browser that cannot run app.js what it needs and where the same data are. No module, and ES5, which the build
// enforces (hence no const): such a browser runs this file alone.

window.addEventListener('load', function () {
  check(document.documentElement.getAttribute('data-started') !== null);
});

function check(hasStarted: boolean): void {
  // The newest of what app.js needs: Chrome 103, Firefox 100, Safari 16.
  if (hasStarted && 'timeout' in AbortSignal) return;
  document.getElementById('old-browser')?.removeAttribute('hidden');
  document.getElementById('loading')?.setAttribute('hidden', '');
}
