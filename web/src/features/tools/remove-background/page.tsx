import { ImageEditorPage } from '../../../modules/image-editor/image-editor-page';
import after from './after.webp';
import { BackgroundForm } from './background-form';
import before from './before.webp';

export default function RemoveBackgroundPage() {
  return (
    <ImageEditorPage
      tool="remove-image-background"
      lead="Remove the background of a photo and keep its subject."
      form={(props) => <BackgroundForm {...props} />}
      sample={{ before, after, alt: 'A yellow flower, cut out of the dark leaves behind it' }}
      fileName="background-removed"
    />
  );
}
