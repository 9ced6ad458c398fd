/** Made shorter without an AI service. */
export const rewrittenSample = `The print shop has been here for forty years. To keep costs low, the shop does not hold a large stock: posters are made when they are needed.

The paper comes from the mill upstream, which has made paper since 1911.
`;
