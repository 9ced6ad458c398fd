import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';

/** An app that signs its user in by OAuth and speaks MCP, as the SDK's client does. */
export class McpApp implements OAuthClientProvider {
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'Assistant “Ünï” 𝒲',
    redirect_uris: [],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
  authorizationUrl: URL | null = null;
  saved: StoredOAuthTokens | undefined;
  private verifier = '';
  private discovered: OAuthDiscoveryState | undefined;

  /**
   * @param url address of `/mcp`
   * @param redirectUrl where the user's browser returns with a code
   * @param client undefined for an app that registers itself
   */
  constructor(
    private readonly url: URL,
    readonly redirectUrl: string,
    private client?: StoredOAuthClientInformation,
  ) {
    this.clientMetadata.redirect_uris = [redirectUrl];
  }

  clientInformation = () => this.client;
  saveClientInformation = (client: StoredOAuthClientInformation) => void (this.client = client);
  tokens = () => this.saved;
  saveTokens = (tokens: StoredOAuthTokens) => void (this.saved = tokens);
  redirectToAuthorization = (address: URL) => void (this.authorizationUrl = address);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  invalidateCredentials = () => void (this.saved = undefined);
  saveDiscoveryState = (state: OAuthDiscoveryState) => void (this.discovered = state);
  discoveryState = () => this.discovered;

  /**
   * Signs the user in.
   * @param authorize answers with the parameters with which the browser returns
   */
  async connect(authorize: (address: URL) => Promise<URLSearchParams>): Promise<Client> {
    const transport = new StreamableHTTPClientTransport(this.url, { authProvider: this });
    const error: unknown = await new Client({ name: 'test', version: '1' })
      .connect(transport)
      .catch((one: unknown) => one);
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(await authorize(this.authorizationUrl!));
    return this.open();
  }

  /** A client with the tokens that the app has. */
  async open(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(this.url, { authProvider: this }));
    return client;
  }
}
