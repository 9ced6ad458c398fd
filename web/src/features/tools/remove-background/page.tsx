import { ImageEditorPage } from '../../../modules/image-editor/image-editor-page';
import after from './after.webp';
import { BackgroundForm } from './background-form';
import before from './before.webp';

export default function RemoveBackgroundPage() {
  return (
    <ImageEditorPage
      tool="remove-image-background"
      lead="Cut the subject of a photo out of its background."
      form={(props) => <BackgroundForm {...props} />}
      sample={{ before, after, alt: 'A yellow flower, cut out of the dark leaves behind it' }}
      fileName="background-removed"
    />
  );
}
