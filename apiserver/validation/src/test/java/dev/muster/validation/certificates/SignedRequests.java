package dev.muster.validation.certificates;

import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HexFormat;

/** Makes requests for certificates (RFC 2986) of nobody in particular. */
final class SignedRequests {
  static final String RSA_SHA256 = "300d06092a864886f70d01010b0500";
  static final String RSA_MD5 = "300d06092a864886f70d0101040500";
  static final String ECDSA_SHA256 = "300a06082a8648ce3d040302";
  static final String ED25519 = "300506032b6570";

  private SignedRequests() {}

  static byte[] elliptic() {
    return request("EC", "SHA256withECDSA", ECDSA_SHA256);
  }

  /** The DER of a request, signed with a new key. */
  static byte[] request(String keys, String algorithm, String identifier) {
    try {
      var pair = KeyPairGenerator.getInstance(keys).generateKeyPair();
      return request(pair, pair, algorithm, identifier);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The DER of a request for one key, signed by another. */
  static byte[] request(KeyPair pair, KeyPair signer, String algorithm, String identifier) {
    var version = HexFormat.of().parseHex("020100");
    var subject = tagged(0x30);
    var attributes = tagged(0xa0);
    var wanted = tagged(0x30, version, subject, pair.getPublic().getEncoded(), attributes);
    try {
      var signature = Signature.getInstance(algorithm);
      signature.initSign(signer.getPrivate());
      signature.update(wanted);
      return tagged(
          0x30,
          wanted,
          HexFormat.of().parseHex(identifier),
          tagged(0x03, new byte[1], signature.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static String pem(String type, byte[] der) {
    return "-----BEGIN "
        + type
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END "
        + type
        + "-----\n";
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    var content = new ByteArrayOutputStream();
    for (var part : parts) {
      content.writeBytes(part);
    }
    var out = new ByteArrayOutputStream();
    out.write(tag);
    int length = content.size();
    if (length < 0x80) {
      out.write(length);
    } else {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    }
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }
}
