import io.kubernetes.client.Discovery;
import io.kubernetes.client.openapi.apis.ApisApi;
import io.kubernetes.client.openapi.apis.CoreApi;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.ModelMapper;
import java.time.Duration;

/** Discovery with the official Java client of any version; run from its source. */
class OfficialClient {
  public static void main(String[] arguments) throws Exception {
    var client = Config.fromConfig(arguments[0]);
    var discovery = new Discovery(client);
    var found = discovery.findAll();
    if (found.stream().noneMatch(each -> each.getKind().equals("Deployment"))) {
      throw new IllegalStateException("no Deployment among " + found.size());
    }
    ModelMapper.refresh(discovery, Duration.ofSeconds(60));
    call(new CoreApi(client), "getAPIVersions");
    call(new ApisApi(client), "getAPIVersions");
    call(new CoreV1Api(client), "getAPIResources");
    System.out.println("discovered " + found.size());
    System.exit(0);
  }

  /** Newer versions have an object for each request. */
  private static void call(Object api, String method) throws Exception {
    var answer = api.getClass().getMethod(method).invoke(api);
    try {
      answer.getClass().getMethod("execute").invoke(answer);
    } catch (NoSuchMethodException e) {
      // The answer of an older version.
    }
  }
}
