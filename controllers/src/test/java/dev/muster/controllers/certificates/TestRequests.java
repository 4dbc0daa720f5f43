package dev.muster.controllers.certificates;

import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Requests for certificates, and somebody who may sign them. */
final class TestRequests {
  static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  static final String KUBELET = "system:node:n1";
  private static final KeyPair KEYS = keys();
  private static final String OF_KUBELET = request("O=system:nodes,CN=" + KUBELET);
  private static final String OF_OTHERS = request("O=people,CN=jane");

  private TestRequests() {}

  private static KeyPair keys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String request(String subject) {
    try {
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(KEYS.getPrivate());
      var made =
          new JcaPKCS10CertificationRequestBuilder(new X500Principal(subject), KEYS.getPublic())
              .build(signer);
      var pem = PemBlocks.encode("CERTIFICATE REQUEST", made.getEncoded());
      return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static SigningAuthority authority(Path folder, Instant now) throws Exception {
    var name = new X500Principal("CN=authority");
    var certificate =
        new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(now.minusSeconds(60)),
                Date.from(now.plus(Duration.ofDays(365))),
                name,
                KEYS.getPublic())
            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(KEYS.getPrivate()));
    var signing = folder.resolve("signing.crt");
    var key = folder.resolve("signing.key");
    Files.writeString(signing, PemBlocks.encode("CERTIFICATE", certificate.getEncoded()));
    Files.writeString(key, PemBlocks.encode("PRIVATE KEY", KEYS.getPrivate().getEncoded()));
    return SigningAuthority.read(signing, key);
  }

  /** A request of that user for the certificate of a kubelet, or for one of somebody else. */
  static JsonObject request(String name, String user, String signer, boolean ofKubelet) {
    return JsonObject.of(
        "metadata",
        JsonObject.of("name", name),
        "spec",
        JsonObject.of(
            "username",
            user,
            "signerName",
            signer,
            "usages",
            JsonArray.ofStrings(List.of("client auth", "digital signature")),
            "request",
            ofKubelet ? OF_KUBELET : OF_OTHERS),
        "status",
        JsonObject.EMPTY);
  }

  /** Somebody decides about a request. */
  static void condition(Simulation world, String name, String type) {
    var condition =
        JsonObject.of(
            "type",
            type,
            "status",
            "True",
            "lastUpdateTime",
            Timestamps.format(world.clock().instant()));
    world
        .api()
        .change(
            REQUESTS,
            "",
            name,
            request ->
                request.withAt(
                    request.object("status").array("conditions").plus(condition),
                    "status",
                    "conditions"));
  }
}
