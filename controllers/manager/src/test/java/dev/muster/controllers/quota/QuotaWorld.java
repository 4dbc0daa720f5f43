package dev.muster.controllers.quota;

import dev.muster.admission.quota.LimitedResources;
import dev.muster.admission.quota.ResourceQuotas;
import dev.muster.controllers.ObjectKey;
import dev.muster.model.GroupVersion;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import dev.muster.model.status.ApiException;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Reinvocation;
import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.registry.commit.AuditAnnotations;
import dev.muster.registry.commit.Deadline;
import dev.muster.types.ClusterView;
import dev.muster.types.ServedType;
import dev.muster.types.Types;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One thread at a time. The quotas and pods of one namespace behind the quota admission of the API
 * server: what is written is admitted on a state that may be an old one, and is stored together
 * with the quotas that it takes from, or not at all. Watch events wait until they are asked for.
 */
final class QuotaWorld implements QuotaCount.Quotas {
  static final String NAMESPACE = "ns";
  private static final Types TYPES = Types.of(BuiltInTypes.all());
  private static final ServedType PODS =
      Objects.requireNonNull(TYPES.ofKind(GroupVersion.parse("v1").kind("Pod")));
  private static final int REMEMBERED = 5;
  private static final int CONFLICT = 409;

  /** What a watch will tell. */
  record Change(boolean isQuota, JsonObject object, boolean gone) {}

  /** The namespace at one revision. */
  private record State(long revision, Map<String, JsonObject> quotas, Map<String, JsonObject> pods)
      implements ClusterView {
    private Map<String, JsonObject> collection(String name) {
      return switch (name) {
        case "/resourcequotas" -> quotas;
        case "/pods" -> pods;
        default -> Map.of();
      };
    }

    @Override
    public @Nullable JsonObject get(String collection, String namespace, String name) {
      return collection(collection).get(name);
    }

    @Override
    public List<JsonObject> list(String collection, String namespace) {
      return List.copyOf(collection(collection).values());
    }

    @Override
    public long revision(String collection, String namespace, String name) {
      var object = get(collection, namespace, name);
      return object == null ? 0 : Long.parseLong(version(object));
    }

    @Override
    public long changed(String collection) {
      return collection(collection).values().stream()
          .mapToLong(object -> Long.parseLong(version(object)))
          .max()
          .orElse(0);
    }

    @Override
    public Types types() {
      return TYPES;
    }
  }

  private final ResourceQuotas admission;
  private final Deque<State> states = new ArrayDeque<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private long revision;

  /** When somebody last wrote a quota himself: what was admitted before that is admitted anew. */
  private long decided;

  QuotaWorld(InstantSource clock) {
    admission = new ResourceQuotas(LimitedResources.NONE, clock);
    states.add(new State(0, Map.of(), Map.of()));
  }

  static String version(JsonObject object) {
    return object.object("metadata").string("resourceVersion");
  }

  Deque<Change> changes() {
    return changes;
  }

  Collection<JsonObject> quotas() {
    return states.getLast().quotas().values();
  }

  Collection<JsonObject> pods() {
    return states.getLast().pods().values();
  }

  /** How many states there are to look at; the last one is the present. */
  int remembered() {
    return states.size();
  }

  private void commit(List<JsonObject> quotas, List<JsonObject> pods, @Nullable JsonObject gone) {
    revision++;
    var now = states.getLast();
    var nextQuotas = new TreeMap<>(now.quotas());
    var nextPods = new TreeMap<>(now.pods());
    quotas.forEach(quota -> put(nextQuotas, quota, true));
    pods.forEach(pod -> put(nextPods, pod, false));
    if (gone != null) {
      boolean isQuota = nextQuotas.remove(ObjectKey.of(gone).name(), gone);
      nextPods.remove(ObjectKey.of(gone).name(), gone);
      changes.add(new Change(isQuota, gone, true));
    }
    states.add(new State(revision, nextQuotas, nextPods));
    if (states.size() > REMEMBERED) {
      states.removeFirst();
    }
  }

  private void put(Map<String, JsonObject> into, JsonObject object, boolean isQuota) {
    var stored = object.withAt(Json.of("" + revision), "metadata", "resourceVersion");
    into.put(ObjectKey.of(stored).name(), stored);
    changes.add(new Change(isQuota, stored, false));
  }

  /** A user's quota, new or with other limits; users do not write its status. */
  void limit(JsonObject quota) {
    var present = states.getLast().quotas().get(ObjectKey.of(quota).name());
    commit(
        List.of(present == null ? quota : present.with("spec", quota.object("spec"))),
        List.of(),
        null);
    decided = revision;
  }

  void remove(JsonObject object) {
    boolean isQuota = states.getLast().quotas().containsValue(object);
    commit(List.of(), List.of(), object);
    decided = isQuota ? revision : decided;
  }

  /** What no admission looks at, such as the phase of a pod. */
  void change(JsonObject pod) {
    commit(List.of(), List.of(pod), null);
  }

  /**
   * Creates or resizes a pod.
   *
   * @param age how many states ago the first attempt looks at the cluster
   * @return whether it was admitted
   */
  boolean write(JsonObject pod, int age) {
    var all = new ArrayList<>(states);
    var seen = all.get(Math.max(0, all.size() - 1 - age));
    while (true) {
      var present = states.getLast();
      var name = ObjectKey.of(pod).name();
      var old = seen.pods().get(name);
      try {
        var companions = admission.validate(request(pod, old, seen));
        boolean current =
            Objects.equals(old, present.pods().get(name))
                && decided <= seen.revision()
                && companions.stream().allMatch(one -> present.quotas().containsValue(one.old()));
        if (current) {
          commit(companions.stream().map(one -> one.object()).toList(), List.of(pod), null);
          return true;
        }
      } catch (ApiException e) {
        if (seen == present) {
          return false;
        }
      }
      seen = present;
    }
  }

  private static AdmissionRequest request(
      JsonObject pod, @Nullable JsonObject old, ClusterView cluster) {
    return new AdmissionRequest(
        old == null ? AdmissionOperation.CREATE : AdmissionOperation.UPDATE,
        PODS,
        old == null ? "" : "resize",
        NAMESPACE,
        ObjectKey.of(pod).name(),
        pod,
        old,
        User.of("jane", User.ALL_AUTHENTICATED),
        false,
        JsonObject.EMPTY,
        cluster,
        Deadline.after(Duration.ofMinutes(1)),
        warning -> {},
        new AuditAnnotations(true),
        new Reinvocation());
  }

  @Override
  public Optional<JsonObject> get(ObjectKey key) {
    return Optional.ofNullable(states.getLast().quotas().get(key.name()));
  }

  @Override
  public JsonObject updateStatus(JsonObject quota) {
    var name = ObjectKey.of(quota).name();
    var present = states.getLast().quotas().get(name);
    if (present == null) {
      throw new KubernetesClientException("not found", 404, null);
    }
    if (!version(present).equals(version(quota))) {
      throw new KubernetesClientException("conflict", CONFLICT, null);
    }
    commit(List.of(quota), List.of(), null);
    decided = revision;
    return Objects.requireNonNull(states.getLast().quotas().get(name));
  }
}
