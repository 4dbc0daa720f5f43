package dev.muster.authorization.bootstrap;

import dev.muster.authorization.PolicyRule;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the objects of a first start, and repairs them at later ones: what is missing is created,
 * roles and bindings regain what they lost unless somebody switched that off, and flow control
 * returns to its defaults unless somebody changed it on purpose. Several servers may do so at once.
 */
public final class BootstrapObjects {
  private static final Logger log = LoggerFactory.getLogger(BootstrapObjects.class);

  private BootstrapObjects() {}

  /** Everything that belongs to a first start with the usual features, beside the namespaces. */
  public static List<BootstrapObject> all() {
    return all(gate -> false);
  }

  /**
   * Everything that belongs to a first start, beside the namespaces.
   *
   * @param gates which features are on, of those that are off by default
   */
  public static List<BootstrapObject> all(Predicate<String> gates) {
    var all = new ArrayList<BootstrapObject>();
    all.addAll(PriorityDefaults.all());
    all.addAll(FlowDefaults.all());
    all.addAll(RbacDefaults.all(gates));
    return all;
  }

  /** What every node may do: the rules of the role {@code system:node}. */
  public static List<PolicyRule> nodeRules() {
    return RbacDefaults.all(gate -> false).stream()
        .filter(each -> each.resource().resource().equals("clusterroles"))
        .filter(each -> each.name().equals("system:node"))
        .flatMap(each -> PolicyRule.allOf(each.object()).stream())
        .toList();
  }

  /** Those of them that say who waits for whom. */
  public static List<BootstrapObject> flows() {
    return FlowDefaults.all();
  }

  /**
   * Brings the objects about, many at a time, on virtual threads; returns when all are there.
   *
   * @param objects those of {@link #all}, or a part of them
   * @throws ApiException the first failure
   */
  public static void run(List<BootstrapObject> objects, ObjectWriter writer)
      throws InterruptedException {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<Future<?>>();
      objects.forEach(object -> running.add(threads.submit(() -> ensure(object, writer))));
      for (var one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ApiException refused
          ? refused
          : new IllegalStateException("cannot make the objects of a first start", e.getCause());
    }
  }

  static void ensure(BootstrapObject wanted, ObjectWriter writer) {
    writer.change(
        wanted.resource(),
        wanted.namespace(),
        wanted.name(),
        existing -> {
          if (existing == null) {
            return wanted.object();
          }
          var repaired = repair(wanted, existing);
          if (repaired != existing) {
            log.info("repairing {} {}", wanted.resource().resource(), wanted.name());
          }
          return repaired;
        });
  }

  private static JsonObject repair(BootstrapObject wanted, JsonObject existing) {
    return switch (wanted.resource().resource()) {
      case "clusterroles", "roles" -> Repair.role(wanted.object(), existing);
      case "clusterrolebindings", "rolebindings" -> Repair.binding(wanted.object(), existing);
      case "flowschemas", "prioritylevelconfigurations" -> Repair.flow(wanted.object(), existing);
      default -> existing;
    };
  }
}
