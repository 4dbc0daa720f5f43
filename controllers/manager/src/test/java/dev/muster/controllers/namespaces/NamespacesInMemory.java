package dev.muster.controllers.namespaces;

import dev.muster.controllers.client.Discovery;
import dev.muster.controllers.client.Discovery.Served;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * One thread at a time. The namespaces of an API server, what is in them, and its rules of
 * deletion. Watch events wait until they are asked for, and requests fail when told to: before they
 * do anything, or after.
 */
final class NamespacesInMemory implements NamespaceApi {
  static final Served PODS = served("", "pods", "list", "delete", "deletecollection");
  static final Served MAPS = served("", "configmaps", "list", "delete", "deletecollection");
  static final Served SERVICES = served("", "services", "list", "delete");
  static final Served WIDGETS = served("example.com", "widgets", "list", "delete");
  static final List<Served> RESOURCES = List.of(MAPS, SERVICES, PODS, WIDGETS);
  private static final String DELETED = "2026-01-01T00:00:00Z";

  /** What stands between the request and its effect, or the effect and its answer. */
  interface Faults {
    /** Others act, and the request may fail. */
    void strike();
  }

  /** Where an object is. */
  record Key(String resource, String namespace, String name) {}

  private final Map<String, Namespace> namespaces = new LinkedHashMap<>();
  private final Map<Key, ObjectMeta> objects = new LinkedHashMap<>();
  private final Deque<Namespace> changes = new ArrayDeque<>();
  private final List<String> violations = new ArrayList<>();
  private final Faults faults;
  private boolean widgetsAnswer = true;
  private int version;

  NamespacesInMemory(Faults faults) {
    this.faults = faults;
  }

  private static Served served(String group, String plural, String... verbs) {
    return new Served(
        new ResourceDefinitionContext.Builder()
            .withGroup(group)
            .withVersion("v1")
            .withKind(plural)
            .withPlural(plural)
            .withNamespaced(true)
            .build(),
        Set.of(verbs));
  }

  Deque<Namespace> changes() {
    return changes;
  }

  List<String> violations() {
    return violations;
  }

  List<Namespace> namespaces() {
    return List.copyOf(namespaces.values());
  }

  List<Key> objects() {
    return List.copyOf(objects.keySet());
  }

  void widgetsAnswer(boolean answer) {
    widgetsAnswer = answer;
  }

  void create(String name, List<String> finalizers) {
    if (namespaces.containsKey(name)) {
      return;
    }
    put(
        new NamespaceBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .withNewSpec()
            .withFinalizers(finalizers)
            .endSpec()
            .withNewStatus()
            .withPhase("Active")
            .endStatus()
            .build());
  }

  /** Whether it was let in: not into a namespace that is being deleted. */
  boolean create(Key key, List<String> finalizers) {
    var found = namespaces.get(key.namespace());
    if (found == null || NamespaceDeletion.isTerminating(found)) {
      return false;
    }
    objects.putIfAbsent(
        key, new ObjectMetaBuilder().withName(key.name()).withFinalizers(finalizers).build());
    return true;
  }

  /** A user's delete. */
  void delete(String namespace) {
    var found = namespaces.get(namespace);
    if (found != null && !NamespaceDeletion.isTerminating(found)) {
      put(
          found
              .edit()
              .editMetadata()
              .withDeletionTimestamp(DELETED)
              .endMetadata()
              .editStatus()
              .withPhase("Terminating")
              .endStatus()
              .build());
    }
  }

  /** Somebody writes something that is none of the controller's business. */
  void touch(String namespace) {
    var found = namespaces.get(namespace);
    if (found != null) {
      put(found);
    }
  }

  /** Another owner of a finalizer gives the namespace free. */
  void release(String namespace, String finalizer) {
    var found = namespaces.get(namespace);
    if (found != null && NamespaceDeletion.isTerminating(found)) {
      var left = new ArrayList<>(found.getSpec().getFinalizers());
      left.remove(finalizer);
      put(found.edit().editSpec().withFinalizers(left).endSpec().build());
    }
  }

  /** The kubelet, or whoever holds a finalizer, is done with an object that is deleted. */
  void release(Key key) {
    var found = objects.get(key);
    if (found != null && found.getDeletionTimestamp() != null) {
      objects.remove(key);
    }
  }

  private void put(Namespace namespace) {
    var name = namespace.getMetadata().getName();
    var stored =
        namespace
            .edit()
            .editMetadata()
            .withResourceVersion(String.valueOf(++version))
            .endMetadata()
            .build();
    if (NamespaceDeletion.isTerminating(stored) && stored.getSpec().getFinalizers().isEmpty()) {
      namespaces.remove(name);
    } else {
      namespaces.put(name, stored);
    }
    changes.add(stored);
  }

  private static KubernetesClientException refusal(int code) {
    return new KubernetesClientException("refused with " + code, code, null);
  }

  @Override
  public Optional<Namespace> get(String name) {
    faults.strike();
    return Optional.ofNullable(namespaces.get(name));
  }

  private Namespace current(Namespace written) {
    var found = namespaces.get(written.getMetadata().getName());
    if (found == null) {
      throw refusal(404);
    }
    if (!found
        .getMetadata()
        .getResourceVersion()
        .equals(written.getMetadata().getResourceVersion())) {
      throw refusal(409);
    }
    return found;
  }

  @Override
  public Namespace updateStatus(Namespace namespace) {
    faults.strike();
    var found = current(namespace);
    put(found.edit().withStatus(namespace.getStatus()).build());
    faults.strike();
    return Optional.ofNullable(namespaces.get(namespace.getMetadata().getName()))
        .orElseThrow(() -> refusal(404));
  }

  @Override
  public void updateFinalizers(Namespace namespace) {
    faults.strike();
    var found = current(namespace);
    var name = namespace.getMetadata().getName();
    objects().stream()
        .filter(key -> key.namespace().equals(name))
        .forEach(key -> violations.add(key + " is left behind"));
    boolean told =
        found.getStatus().getConditions().size() == 5
            && found.getStatus().getConditions().stream()
                .allMatch(condition -> condition.getStatus().equals("False"));
    if (!told) {
      violations.add(name + " goes and says " + found.getStatus().getConditions());
    }
    put(
        found
            .edit()
            .editSpec()
            .withFinalizers(namespace.getSpec().getFinalizers())
            .endSpec()
            .build());
    faults.strike();
  }

  @Override
  public Discovery discover() {
    faults.strike();
    return widgetsAnswer
        ? new Discovery(RESOURCES, RESOURCES, List.of())
        : new Discovery(List.of(MAPS, SERVICES, PODS), List.of(), List.of("example.com/v1: down"));
  }

  @Override
  public List<ObjectMeta> list(Served resource, String namespace) {
    faults.strike();
    return keys(resource, namespace, name -> true).stream().map(objects::get).toList();
  }

  private List<Key> keys(Served resource, String namespace, Predicate<String> name) {
    return objects().stream()
        .filter(key -> key.resource().equals(resource.name()))
        .filter(key -> key.namespace().equals(namespace) && name.test(key.name()))
        .toList();
  }

  @Override
  public void deleteAll(Served resource, String namespace) {
    faults.strike();
    remove(resource, namespace, name -> true);
    faults.strike();
  }

  @Override
  public void delete(Served resource, String namespace, String name) {
    faults.strike();
    remove(resource, namespace, name::equals);
    faults.strike();
  }

  private void remove(Served resource, String namespace, Predicate<String> names) {
    var found = namespaces.get(namespace);
    if (found != null && !NamespaceDeletion.isTerminating(found)) {
      violations.add(namespace + " is emptied although nobody deleted it");
    }
    if (resource != PODS && !keys(PODS, namespace, name -> true).isEmpty()) {
      violations.add(resource.name() + " of " + namespace + " are deleted before its pods");
    }
    keys(resource, namespace, names).forEach(this::userDeletes);
  }

  /** What nobody holds is gone at once; pods are held by their kubelet. */
  void userDeletes(Key key) {
    var object = objects.get(key);
    if (object == null) {
      return;
    }
    if (object.getFinalizers().isEmpty() && !key.resource().equals(PODS.name())) {
      objects.remove(key);
    } else {
      objects.put(key, object.edit().withDeletionTimestamp(DELETED).build());
    }
  }
}
