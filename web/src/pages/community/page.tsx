import { NotThereYet } from '../tools/not-there-yet';

export default function CommunityPage() {
  return (
    <NotThereYet
      title="Community"
      description="Images that people chose to publish, and the ones you like."
    />
  );
}
