/** Address of the Model Context Protocol, and the audience of its access tokens. */
export const mcpAddress = (publicUrl: string) => `${publicUrl}/mcp`;
