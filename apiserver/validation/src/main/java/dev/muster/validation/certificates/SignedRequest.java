package dev.muster.validation.certificates;

import dev.muster.model.gocompat.GoText;
import dev.muster.pki.PemBlock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Validates certificate requests (RFC 2986) and certificates, with Go's messages. */
final class SignedRequest {
  private static final String PSS = "1.2.840.113549.1.1.10";
  private static final Map<String, String> ALGORITHMS =
      Map.ofEntries(
          Map.entry("1.2.840.113549.1.1.5", "SHA1withRSA"),
          Map.entry("1.2.840.113549.1.1.11", "SHA256withRSA"),
          Map.entry("1.2.840.113549.1.1.12", "SHA384withRSA"),
          Map.entry("1.2.840.113549.1.1.13", "SHA512withRSA"),
          Map.entry(PSS, "RSASSA-PSS"),
          Map.entry("1.2.840.10045.4.1", "SHA1withECDSA"),
          Map.entry("1.2.840.10045.4.3.2", "SHA256withECDSA"),
          Map.entry("1.2.840.10045.4.3.3", "SHA384withECDSA"),
          Map.entry("1.2.840.10045.4.3.4", "SHA512withECDSA"),
          Map.entry("1.3.101.112", "Ed25519"));
  private static final Map<String, String> INSECURE =
      Map.of("1.2.840.113549.1.1.2", "MD2-RSA", "1.2.840.113549.1.1.4", "MD5-RSA");
  private static final Map<String, String> KEYS =
      Map.of(
          "1.2.840.113549.1.1.1", "RSA",
          "1.2.840.10045.2.1", "EC",
          "1.3.101.112", "Ed25519");
  private static final String MALFORMED = "x509: malformed certificate request";

  private SignedRequest() {}

  /** The error in a PEM block that should be a correctly signed request; or "". */
  static String problem(byte[] pem) {
    var blocks = PemBlock.all(pem);
    if (blocks.isEmpty() || !blocks.getFirst().type().equals("CERTIFICATE REQUEST")) {
      return "PEM block type must be CERTIFICATE REQUEST";
    }
    try {
      var parts = Der.sequence(blocks.getFirst().bytes(), "certificateRequest").parts();
      if (parts.size() != 3) {
        return MALFORMED;
      }
      return signature(parts.get(0), parts.get(1).parts(), parts.get(2));
    } catch (Der.MalformedException e) {
      return String.valueOf(e.getMessage());
    } catch (GeneralSecurityException | IOException e) {
      return MALFORMED;
    }
  }

  private static String signature(Der signed, List<Der> algorithm, Der bits)
      throws Der.MalformedException, GeneralSecurityException, IOException {
    var wanted = signed.parts();
    if (algorithm.isEmpty()
        || algorithm.getFirst().tag() != Der.OBJECT_IDENTIFIER
        || bits.tag() != Der.BIT_STRING
        || bits.content().length == 0
        || wanted.size() < 3) {
      return MALFORMED;
    }
    var identifier = algorithm.getFirst().identifier();
    var insecure = INSECURE.get(identifier);
    if (insecure != null) {
      return "x509: cannot verify signature: insecure algorithm " + insecure;
    }
    var name = ALGORITHMS.get(identifier);
    var keyParts = wanted.get(2).parts();
    if (keyParts.isEmpty() || keyParts.getFirst().parts().isEmpty()) {
      return MALFORMED;
    }
    var kind = KEYS.get(keyParts.getFirst().parts().getFirst().identifier());
    if (name == null || kind == null) {
      return "x509: cannot verify signature: algorithm unimplemented";
    }
    var key =
        KeyFactory.getInstance(kind)
            .generatePublic(new X509EncodedKeySpec(wanted.get(2).encoded()));
    var signature = Signature.getInstance(name);
    if (identifier.equals(PSS) && algorithm.size() > 1) {
      var parameters = AlgorithmParameters.getInstance(name);
      parameters.init(algorithm.get(1).encoded());
      signature.setParameter(parameters.getParameterSpec(PSSParameterSpec.class));
    }
    return verified(signature, key, signed, bits) ? "" : failure(kind);
  }

  private static boolean verified(Signature signature, PublicKey key, Der signed, Der bits) {
    try {
      signature.initVerify(key);
      signature.update(signed.encoded());
      return signature.verify(Arrays.copyOfRange(bits.content(), 1, bits.content().length));
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static String failure(String kind) {
    return switch (kind) {
      case "RSA" -> "crypto/rsa: verification error";
      case "EC" -> "x509: ECDSA verification failure";
      default -> "x509: Ed25519 verification failure";
    };
  }

  /** The error in PEM blocks that should all be certificates; or "". */
  static String certificateProblem(byte[] pem) {
    if (pem.length == 0) {
      return "";
    }
    var blocks = PemBlock.all(pem);
    for (var block : blocks) {
      if (!block.type().equals("CERTIFICATE")) {
        return "only CERTIFICATE PEM blocks are allowed, found " + GoText.quote(block.type());
      }
      if (block.hasHeaders()) {
        return "no PEM block headers are permitted";
      }
      if (block.bytes().length == 0) {
        return "found CERTIFICATE PEM block containing 0 certificates";
      }
      try {
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(block.bytes()));
      } catch (CertificateException e) {
        return "x509: malformed certificate";
      }
    }
    return blocks.isEmpty() ? "must contain at least one CERTIFICATE PEM block" : "";
  }
}
