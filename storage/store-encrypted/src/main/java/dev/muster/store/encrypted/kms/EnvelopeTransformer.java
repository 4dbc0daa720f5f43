package dev.muster.store.encrypted.kms;

import dev.muster.store.encrypted.transform.TransformException;
import dev.muster.store.encrypted.transform.Transformer;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts each value with a key derived from a seed, and stores the seed beside it, encrypted by a
 * KMS plug-in. Encryption needs no call of the plug-in; decryption calls it once per seed.
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

  /** Values of another seed with the same key ID need no rewrite; values of another key ID do. */
  @Override
  public @Nullable String writer() {
    var key = plugin.current();
    return key == null ? null : writer(key.source());
  }

  private static String writer(EncryptedObject object) {
    return object.type() + ":" + object.keyId();
  }
}
