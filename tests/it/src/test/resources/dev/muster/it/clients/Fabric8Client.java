import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.DefaultKubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;

/** Discovery with the fabric8 client of any version; run from its source. */
class Fabric8Client {
  public static void main(String[] arguments) throws Exception {
    var file = Path.of(arguments[0]);
    var config = Config.fromKubeconfig(null, Files.readString(file), arguments[0]);
    try (var client = new DefaultKubernetesClient(config)) {
      var groups = client.getApiGroups().getGroups();
      var group = client.getApiGroup("apps");
      var resources = client.getApiResources("apps/v1").getResources();
      if (groups.isEmpty() || group == null || resources.isEmpty()) {
        throw new IllegalStateException("nothing was discovered");
      }
      if (client.namespaces().list().getItems().isEmpty()) {
        throw new IllegalStateException("no namespaces");
      }
      System.out.println("discovered " + groups.size());
    }
    System.exit(0);
  }
}
