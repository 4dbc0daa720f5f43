package dev.muster.store.encrypted.kms;

import dev.muster.store.encrypted.transform.TransformException;
import dev.muster.store.encrypted.transform.Transformer;
import org.jspecify.annotations.Nullable;

/**
 * Values in envelopes: each is encrypted with a key that follows from a seed, and carries the seed,
 * encrypted by a KMS plug-in. Writing asks nobody; reading asks the plug-in once for each seed.
 */
public final class EnvelopeTransformer implements Transformer {
  private final KmsPlugin plugin;

  public EnvelopeTransformer(KmsPlugin plugin) {
    this.plugin = plugin;
  }

  @Override
  public byte[] toStorage(byte[] value, byte[] path) throws TransformException {
    var key = plugin.writeKey();
    var data = key.transformer().toStorage(value, path);
    plugin.observer().keyUsed(true, plugin.name(), key.source().keyId());
    return key.source().with(data).encode();
  }

  @Override
  public Opened fromStorage(byte[] stored, int offset, byte[] path) throws TransformException {
    var object = EncryptedObject.decode(stored, offset);
    var reader = plugin.sources().reader(object);
    plugin.observer().keyUsed(false, plugin.name(), object.keyId());
    return new Opened(reader.fromStorage(object.data(), 0, path).value(), writer(object));
  }

  /** Another seed of the same key is as good; another key is not. */
  @Override
  public @Nullable String writer() {
    var key = plugin.current();
    return key == null ? null : writer(key.source());
  }

  private static String writer(EncryptedObject object) {
    return object.type() + ":" + object.keyId();
  }
}
