/**
 * Runs in the page: sends the credential along when the document is loaded, and loads it again whenever the credential
 * changes, so that the tools it may call appear. The credential stays in the page's memory.
 */
export const RELOAD_AFTER_AUTHORIZE = `
window.addEventListener('load', () => {
  const system = window.ui.getSystem();
  const read = () => {
    const authorized = system.authSelectors.authorized();
    return authorized ? authorized.getIn(['bearer', 'value']) : undefined;
  };
  const configured = system.getConfigs();
  const { requestInterceptor } = configured;
  configured.requestInterceptor = (request) => {
    const key = read();
    if (request.loadSpec && key) request.headers = { ...request.headers, Authorization: 'Bearer ' + key };
    return requestInterceptor ? requestInterceptor(request) : request;
  };
  let known = read();
  system.getStore().subscribe(() => {
    const key = read();
    if (key === known) return;
    known = key;
    system.specActions.download('/openapi.json');
  });
});
`;
