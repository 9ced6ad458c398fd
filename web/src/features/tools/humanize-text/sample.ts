/** A result made without an AI service. */
export const humanizedSample = `The print shop has been here for forty years. To keep costs low, the shop doesn't hold a large stock. Also, posters are made when they're needed.

We're proud to say that we don't use any plastic, and the paper is sourced from the mill upstream, which has been making paper since 1911.
`;
