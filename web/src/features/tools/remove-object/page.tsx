import { ImageEditorPage } from '../../../modules/image-editor/image-editor-page';
import after from './after.webp';
import before from './before.webp';
import { ObjectForm } from './object-form';

export default function RemoveObjectPage() {
  return (
    <ImageEditorPage
      tool="remove-image-object"
      lead="Name, click or paint over an object in a photo to remove it."
      even
      form={(props) => <ObjectForm {...props} />}
      sample={{ before, after, alt: 'Hills in the evening, with a balloon taken out of the sky' }}
      fileName="object-removed"
    />
  );
}
