/** A result made without an AI service for “town newspaper”. */
export const titlesSample = `1. Town Newspaper: What Comes Next
2. The First Steps Into Town Newspaper
3. Town Newspaper Questions, Answered
4. What Nobody Tells You About Town Newspaper
5. Town Newspaper: What to Know Before You Start
6. 5 Ways to Get More Out of Town Newspaper
7. Making Sense of Town Newspaper
8. Town Newspaper: A Fresh Look
9. A Beginner’s Guide to Town Newspaper
10. A Second Opinion on Town Newspaper
`;
