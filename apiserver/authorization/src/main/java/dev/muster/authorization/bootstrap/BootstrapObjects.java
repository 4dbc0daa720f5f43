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
 * Creates the default objects at the first start and repairs them at later starts. Thread-safe
 * across servers: several may run it at once.
 *
 * <ul>
 *   <li>Missing objects are created.
 *   <li>Roles and bindings regain missing rules and subjects, unless an annotation disables that.
 *   <li>Flow schemas and priority levels return to their defaults, unless a user changed them on
 *       purpose.
 * </ul>
 */
public final class BootstrapObjects {
  private static final Logger log = LoggerFactory.getLogger(BootstrapObjects.class);

  private BootstrapObjects() {}

  /** All default objects with the default feature gates, except the namespaces. */
  public static List<BootstrapObject> all() {
    return all(gate -> false);
  }

  /**
   * All default objects, except the namespaces.
   *
   * @param gates which of the features that are off by default are enabled
   */
  public static List<BootstrapObject> all(Predicate<String> gates) {
    var all = new ArrayList<BootstrapObject>();
    all.addAll(PriorityDefaults.all());
    all.addAll(FlowDefaults.all());
    all.addAll(RbacDefaults.all(gates));
    return all;
  }

  /** The rules of the role {@code system:node}. */
  public static List<PolicyRule> nodeRules() {
    return RbacDefaults.all(gate -> false).stream()
        .filter(each -> each.resource().resource().equals("clusterroles"))
        .filter(each -> each.name().equals("system:node"))
        .flatMap(each -> PolicyRule.allOf(each.object()).stream())
        .toList();
  }

  /** The flow schemas and priority levels among the default objects. */
  public static List<BootstrapObject> flows() {
    return FlowDefaults.all();
  }

  /**
   * Creates or repairs the objects concurrently on virtual threads, and returns when all exist.
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
