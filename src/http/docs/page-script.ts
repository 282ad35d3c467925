/**
 * Runs in the page, after the plug-in's own script and before it builds the UI. It reads /openapi.json (the plug-in would
 * read a copy of its own), sends the credential along, and reads it again whenever the credential changes, so that the
 * tools it may call appear. A key that the service refuses is taken back, with a word beside the field. The credential
 * stays in the page's memory.
 */
export const PAGE_SCRIPT = `
const DOCUMENT = '/openapi.json';
const SCHEME = 'bearer';
const build = window.SwaggerUIBundle;
const withKey = (key, headers) => (key ? { ...headers, Authorization: 'Bearer ' + key } : headers);

const followKey = (ui, inUse) => {
  const change = async (key) => {
    if (key === inUse.key) return;
    if (key && (await fetch(DOCUMENT, { headers: withKey(key, {}) })).status === 401) {
      ui.authActions.logout([SCHEME]);
      ui.errActions.newAuthErr({ authId: SCHEME, source: 'auth', level: 'error', message: 'The service refuses this key.' });
      return;
    }
    inUse.key = key;
    ui.specActions.download(DOCUMENT);
  };
  let seen;
  ui.getStore().subscribe(() => {
    const key = ui.authSelectors.authorized()?.getIn([SCHEME, 'value']);
    if (key === seen) return;
    seen = key;
    change(key);
  });
};

window.SwaggerUIBundle = Object.assign((config) => {
  const inUse = { key: undefined };
  const requestInterceptor = (request) => {
    if (request.loadSpec) request.headers = withKey(inUse.key, request.headers);
    return request;
  };
  const ui = build({ ...config, url: DOCUMENT, requestInterceptor });
  followKey(ui, inUse);
  return ui;
}, build);
`;
