package dev.muster.controllers.certificates;

import dev.muster.controllers.simulation.Simulation;
import dev.muster.model.Timestamps;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.pki.Authority;
import dev.muster.pki.GeneratedKeys;
import dev.muster.pki.Pem;
import dev.muster.pki.PemBlock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Requests for certificates, and somebody who may sign them. */
final class TestRequests {
  static final String REQUESTS = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  static final String KUBELET = "system:node:n1";
  private static final KeyPair KEYS = GeneratedKeys.p256();
  private static final String OF_KUBELET = request("O=system:nodes,CN=" + KUBELET);
  private static final String OF_OTHERS = request("O=people,CN=jane");

  private TestRequests() {}

  private static String request(String subject) {
    try {
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(KEYS.getPrivate());
      var made =
          new JcaPKCS10CertificationRequestBuilder(new X500Principal(subject), KEYS.getPublic())
              .build(signer);
      var pem = new PemBlock("CERTIFICATE REQUEST", false, made.getEncoded()).text();
      return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static SigningAuthority authority(Path folder, Instant now) throws IOException {
    var authority = Authority.create("authority", now, Duration.ofDays(365));
    return SigningAuthority.read(
        Files.writeString(folder.resolve("signing.crt"), Pem.of(authority.certificate())),
        Files.writeString(folder.resolve("signing.key"), Pem.of(authority.key())));
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
