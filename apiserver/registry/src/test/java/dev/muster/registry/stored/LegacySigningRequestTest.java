package dev.muster.registry.stored;

import static dev.muster.registry.stored.Stored.at;
import static dev.muster.registry.stored.Stored.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who signs a request of the former version is seen from what it asks for. */
class LegacySigningRequestTest {
  /** Of the node {@code a}, without other names. */
  private static final String NODE =
      "MIHqMIGRAgEAMC8xFTATBgNVBAoMDHN5c3RlbTpub2RlczEWMBQGA1UEAwwNc3lzdGVtOm5vZGU6YTBZMBMGByqGSM49"
          + "AgEGCCqGSM49AwEHA0IABCarAkGbi18BgwpsNBLv/v6KPOznzeS6FqEgaY8oMN7tvmX6pY0l04/+LpsrJifT0t4nHv"
          + "SPicOixHlFtbe6GNKgADAKBggqhkjOPQQDAgNIADBFAiBlI6SlzVoobUDAViL99cHB87z6xPKAIxgrUy4UfVI4lgIh"
          + "AMDfsjo+6Ij1RQn05s+6eaVls/vtvA8spVgeNGGI9/lS";

  /** Of the same node, with a host name and an address. */
  private static final String HOST =
      "MIIBDTCBtgIBADAvMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFjAUBgNVBAMMDXN5c3RlbTpub2RlOmEwWTATBgcqhkjO"
          + "PQIBBggqhkjOPQMBBwNCAAQmqwJBm4tfAYMKbDQS7/7+ijzs583kuhahIGmPKDDe7b5l+qWNJdOP/i6bKyYn09LeJx"
          + "70j4nDosR5RbW3uhjSoCUwIwYJKoZIhvcNAQkOMRYwFDASBgNVHREECzAJggFhhwQKAAABMAoGCCqGSM49BAMCA0YA"
          + "MEMCIF68OAiSNCe1AredzLFu/4bzrGdzkPDDOuPhQPMpVCMYAh8vKbHp2xhzgLS57zPM0S6vFfbcB11ofUtAsY5VNl"
          + "F4";

  /** Of the same node, with a URI beside the host name. */
  private static final String URI =
      "MIIBFjCBvAIBADAvMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFjAUBgNVBAMMDXN5c3RlbTpub2RlOmEwWTATBgcqhkjO"
          + "PQIBBggqhkjOPQMBBwNCAAQmqwJBm4tfAYMKbDQS7/7+ijzs583kuhahIGmPKDDe7b5l+qWNJdOP/i6bKyYn09LeJx"
          + "70j4nDosR5RbW3uhjSoCswKQYJKoZIhvcNAQkOMRwwGjAYBgNVHREEETAPggFhhgpzcGlmZmU6Ly94MAoGCCqGSM49"
          + "BAMCA0kAMEYCIQDB2NeWE5qEkegyHp3U7Psaw0v67WOEiyrIo6xLC0VASAIhAOIXaLzk7E5a4aTYZIW9qsnO3Qa+B9"
          + "udBo8ngX8OCi8d";

  /** Of somebody who is no node. */
  private static final String PERSON =
      "MIHcMIGCAgEAMCAxDzANBgNVBAoMBnBlb3BsZTENMAsGA1UEAwwEamFuZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA"
          + "BCarAkGbi18BgwpsNBLv/v6KPOznzeS6FqEgaY8oMN7tvmX6pY0l04/+LpsrJifT0t4nHvSPicOixHlFtbe6GNKgAD"
          + "AKBggqhkjOPQQDAgNJADBGAiEApW7Kk/dcK7V01OjbOaQTdPzT1ox3uDkj8fJPqsZ0UHYCIQC7YFr4yCnkq7XF013I"
          + "G55ytYc4wRd5lQ8IlwXxHqgD+g==";

  private static JsonObject request(String der, String more) {
    var pem =
        "-----BEGIN CERTIFICATE REQUEST-----\n" + der + "\n-----END CERTIFICATE REQUEST-----\n";
    return read(
        "/certificatesigningrequests",
        ("{'apiVersion':'certificates.k8s.io/v1beta1','kind':'CertificateSigningRequest',"
                + "'metadata':{'name':'r'},'spec':{'request':'%s'%s}}")
            .formatted(
                Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8)), more));
  }

  private static String der(String name) {
    return switch (name) {
      case "NODE" -> NODE;
      case "HOST" -> HOST;
      case "URI" -> URI;
      case "PERSON" -> PERSON;
      default -> "AAAA";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "NODE,client auth,kubernetes.io/kube-apiserver-client-kubelet",
    "NODE,server auth,kubernetes.io/legacy-unknown",
    "HOST,server auth,kubernetes.io/kubelet-serving",
    "HOST,client auth,kubernetes.io/legacy-unknown",
    "URI,server auth,kubernetes.io/legacy-unknown",
    "PERSON,client auth,kubernetes.io/legacy-unknown",
    "NONSENSE,client auth,kubernetes.io/legacy-unknown"
  })
  void theSignerIsGuessed(String request, String purpose, String signer) {
    var usages = ",'usages':['digital signature','key encipherment','" + purpose + "']";
    assertThat(at(request(der(request), usages), "spec", "signerName"))
        .isEqualTo("'" + signer + "'");
  }

  @Test
  void aSignerThatIsNamedIsNotGuessed() {
    var object = request(NODE, ",'signerName':'example.com/me'");
    assertThat(at(object, "spec", "signerName")).isEqualTo("'example.com/me'");
    assertThat(at(object, "spec", "usages")).isEqualTo("['digital signature','key encipherment']");
    assertThat(object.string("apiVersion")).isEqualTo("certificates.k8s.io/v1");
  }
}
