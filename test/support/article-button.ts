/** The name of the button of Write Article, with an AI service and without. */
export const ARTICLE_BUTTON = /^(Generate article|Make an outline)$/;
