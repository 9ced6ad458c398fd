import { Clause, LegalPage } from './legal-page';

export default function TermsPage() {
  return (
    <LegalPage
      title="Terms"
      lead="How this software treats you and your work. Whoever runs this Pressroom may have terms of their own beside these; ask them."
    >
      <Clause title="Your account">
        <p>
          An account belongs to one person. Keep its password to yourself; whoever has it can see all that you
          made.
        </p>
      </Clause>
      <Clause title="Your work">
        <p>
          What you enter, upload and receive stays yours. It is private. An image that you publish is shown to
          everybody until you take it back or delete it.
        </p>
        <p>
          Use only what you may use: upload no picture or document that is not yours to change or to have
          read.
        </p>
      </Clause>
      <Clause title="Results">
        <p>
          Results are made by programs and can be wrong. Each says which engine made it. Read what you are
          about to send, and check a fact, a score or a citation before you rely on it.
        </p>
      </Clause>
      <Clause title="Credits and plans">
        <p>
          The free plan has 30 credits in every calendar month (UTC); what is left at its end does not roll
          over. A run that fails or that you cancel costs nothing. The premium plan counts no credits.
        </p>
      </Clause>
      <Clause title="Fair use">
        <p>
          Calls and unfinished jobs are limited for each person, so that nobody is kept waiting by somebody
          else. Over a limit you are told when to try again.
        </p>
      </Clause>
    </LegalPage>
  );
}
