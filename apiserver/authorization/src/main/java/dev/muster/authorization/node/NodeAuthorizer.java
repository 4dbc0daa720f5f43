package dev.muster.authorization.node;

import dev.muster.authorization.Attributes;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.PolicyRule;
import dev.muster.authorization.RuleResolver;
import dev.muster.authorization.node.References.Kind;
import dev.muster.model.User;
import dev.muster.types.ClusterView;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The authorization mode {@code Node}. A kubelet may read its own objects and the objects that the
 * pods on its node refer to; other rules are the same for all nodes. It has no opinion about other
 * users and never denies. Thread-safe, without locks.
 */
public final class NodeAuthorizer implements Authorizer, RuleResolver {
  private static final Decision YES = Decision.allow("");
  private static final String ATTACHMENTS = "/volumeattachments";
  private static final String SLICES = "/resourceslices";

  /**
   * Nodes usually have about a hundred pods. With more than this, the check does not run on an
   * event loop.
   */
  private static final int FEW_PODS = 512;

  private static final Set<String> READING = Set.of("get", "list", "watch");
  private static final Set<String> OWN_OBJECT =
      Set.of("get", "create", "update", "patch", "delete");

  private final Supplier<? extends ClusterView> views;
  private final List<PolicyRule> rules;

  /**
   * @param views not read before the first decision
   * @param rules the rights of every node on resources that are not divided among nodes
   */
  public NodeAuthorizer(Supplier<? extends ClusterView> views, List<PolicyRule> rules) {
    this.views = views;
    this.rules = List.copyOf(rules);
  }

  @Override
  public Decision authorize(Attributes attributes) {
    return NodeIdentity.of(attributes.user()) == null
        ? Decision.NO_OPINION
        : authorize(attributes, views.get());
  }

  @Override
  public Decision authorize(Attributes attributes, ClusterView view) {
    var node = NodeIdentity.of(attributes.user());
    if (node == null) {
      return Decision.NO_OPINION;
    }
    if (node.isEmpty()) {
      return no("unknown node for user \"" + attributes.user().name() + "\"");
    }
    return attributes.resourceRequest() ? resource(attributes, node, view) : byRules(attributes);
  }

  private Decision byRules(Attributes attributes) {
    for (var rule : rules) {
      if (rule.allows(attributes)) {
        return YES;
      }
    }
    return Decision.NO_OPINION;
  }

  private Decision resource(Attributes attributes, String node, ClusterView view) {
    var resource =
        attributes.group().isEmpty()
            ? attributes.resource()
            : attributes.resource() + "." + attributes.group();
    return switch (resource) {
      case "secrets", "configmaps" -> readOne(attributes, node, view);
      case "persistentvolumeclaims" ->
          attributes.subresource().equals("status")
              ? updateStatus(attributes, node, view)
              : getOne(attributes, node, view);
      case "persistentvolumes",
          "resourceclaims.resource.k8s.io",
          "volumeattachments.storage.k8s.io" ->
          getOne(attributes, node, view);
      case "serviceaccounts" -> serviceAccount(attributes, node, view);
      case "leases.coordination.k8s.io" -> lease(attributes, node);
      case "csinodes.storage.k8s.io" -> csiNode(attributes, node);
      case "resourceslices.resource.k8s.io" -> slice(attributes, node, view);
      case "nodes" -> node(attributes, node);
      case "pods" -> pod(attributes, node, view);
      // Served only behind a feature that this server does not have.
      case "podcertificaterequests.certificates.k8s.io" -> Decision.NO_OPINION;
      default -> byRules(attributes);
    };
  }

  private static Decision readOne(Attributes attributes, String node, ClusterView view) {
    if (!READING.contains(attributes.verb())) {
      return no("can only read resources of this type");
    }
    if (!attributes.subresource().isEmpty()) {
      return no("cannot read subresource");
    }
    if (attributes.namespace().isEmpty()) {
      return no("can only read namespaced object of this type");
    }
    return related(attributes, node, view);
  }

  private static Decision getOne(Attributes attributes, String node, ClusterView view) {
    if (!attributes.verb().equals("get")) {
      return no("can only get individual resources of this type");
    }
    if (!attributes.subresource().isEmpty()) {
      return no("cannot get subresource");
    }
    return related(attributes, node, view);
  }

  private static Decision updateStatus(Attributes attributes, String node, ClusterView view) {
    return attributes.verb().equals("update") || attributes.verb().equals("patch")
        ? related(attributes, node, view)
        : no("can only get/update/patch this type");
  }

  /** Whether the object is related to the node. */
  private static Decision related(Attributes attributes, String node, ClusterView view) {
    var namespace = attributes.namespace();
    var name = attributes.name();
    if (name.isEmpty()) {
      return no("No Object name found");
    }
    var graph = new NodeGraph(view);
    boolean found =
        switch (attributes.resource()) {
          case "secrets" -> graph.isReadable(node, namespace, name);
          case "configmaps" -> graph.isUsed(node, Kind.CONFIG_MAP, namespace, name);
          case "persistentvolumeclaims" -> graph.isUsed(node, Kind.CLAIM, namespace, name);
          case "resourceclaims" -> graph.isUsed(node, Kind.RESOURCE_CLAIM, namespace, name);
          case "serviceaccounts" -> graph.isUsed(node, Kind.SERVICE_ACCOUNT, namespace, name);
          // PersistentVolumes are cluster-scoped; a review that names a namespace is about another
          // object.
          case "persistentvolumes" -> namespace.isEmpty() && graph.isMounted(node, name);
          case "volumeattachments" -> graph.isOn(node, ATTACHMENTS, namespace, name);
          case "resourceslices" -> graph.isOn(node, SLICES, namespace, name);
          case "pods" -> graph.isOn(node, NodeGraph.PODS, namespace, name);
          default -> false;
        };
    return found ? YES : no("no relationship found between node '" + node + "' and this object");
  }

  private static Decision serviceAccount(Attributes attributes, String node, ClusterView view) {
    if (attributes.verb().equals("get") && attributes.subresource().isEmpty()) {
      return readOne(attributes, node, view);
    }
    if (!attributes.verb().equals("create") || attributes.name().isEmpty()) {
      return no("can only create tokens for individual service accounts");
    }
    if (!attributes.subresource().equals("token")) {
      return no("can only create token subresource of serviceaccount");
    }
    return related(attributes, node, view);
  }

  private static Decision lease(Attributes attributes, String node) {
    if (!OWN_OBJECT.contains(attributes.verb())) {
      return no("can only get, create, update, patch, or delete a node lease");
    }
    if (!attributes.namespace().equals("kube-node-lease")) {
      return no("can only access leases in the \"kube-node-lease\" system namespace");
    }
    // The name of a created object is not known yet; NodeRestriction checks it.
    return attributes.verb().equals("create") || attributes.name().equals(node)
        ? YES
        : no("can only access node lease with the same name as the requesting node");
  }

  private static Decision csiNode(Attributes attributes, String node) {
    if (!OWN_OBJECT.contains(attributes.verb())) {
      return no("can only get, create, update, patch, or delete a CSINode");
    }
    if (!attributes.subresource().isEmpty()) {
      return no("cannot authorize CSINode subresources");
    }
    return attributes.verb().equals("create") || attributes.name().equals(node)
        ? YES
        : no("can only access CSINode with the same name as the requesting node");
  }

  private static Decision slice(Attributes attributes, String node, ClusterView view) {
    if (!attributes.subresource().isEmpty()) {
      return no("cannot authorize ResourceSlice subresources");
    }
    return switch (attributes.verb()) {
      case "create" -> YES;
      case "get", "update", "patch", "delete" -> related(attributes, node, view);
      case "watch", "list", "deletecollection" ->
          selectsOwn(attributes, "spec.nodeName", node)
              ? YES
              : no(
                  "can only list/watch/deletecollection resourceslices with nodeName field"
                      + " selector");
      default ->
          no(
              "only the following verbs are allowed for a ResourceSlice: get, watch, list, create,"
                  + " update, patch, delete, deletecollection");
    };
  }

  private static boolean selectsOwn(Attributes attributes, String field, String node) {
    for (var term : attributes.fields().terms()) {
      if (term.equal() && term.field().equals(field) && term.value().equals(node)) {
        return true;
      }
    }
    return false;
  }

  /** NodeRestriction checks the name of written nodes; reads are compared here. */
  private static Decision node(Attributes attributes, String node) {
    var verb = attributes.verb();
    boolean update = verb.equals("update") || verb.equals("patch");
    if (attributes.subresource().equals("status")) {
      return update ? YES : Decision.NO_OPINION;
    }
    if (!attributes.subresource().isEmpty()) {
      return Decision.NO_OPINION;
    }
    if (update || verb.equals("create")) {
      return YES;
    }
    if (!READING.contains(verb)) {
      return Decision.NO_OPINION;
    }
    if (attributes.name().equals(node)) {
      return YES;
    }
    return no(
        attributes.name().isEmpty()
            ? "node '%s' cannot read all nodes, only its own Node object".formatted(node)
            : "node '%s' cannot read '%s', only its own Node object"
                .formatted(node, attributes.name()));
  }

  /** NodeRestriction checks which pods are created, deleted, evicted or updated in status. */
  private static Decision pod(Attributes attributes, String node, ClusterView view) {
    var verb = attributes.verb();
    return switch (attributes.subresource()) {
      case "" ->
          switch (verb) {
            case "get" -> getOne(attributes, node, view);
            case "list", "watch" -> {
              if (selectsOwn(attributes, "spec.nodeName", node)) {
                yield YES;
              }
              yield attributes.name().isEmpty()
                  ? no("can only list/watch pods with spec.nodeName field selector")
                  : related(attributes, node, view);
            }
            case "create", "delete" -> YES;
            default -> Decision.NO_OPINION;
          };
      case "status" -> verb.equals("update") || verb.equals("patch") ? YES : Decision.NO_OPINION;
      case "eviction" -> verb.equals("create") ? YES : Decision.NO_OPINION;
      default -> Decision.NO_OPINION;
    };
  }

  private static Decision no(String reason) {
    return Decision.noOpinion(reason, "");
  }

  @Override
  public long changed(Attributes attributes, ClusterView view) {
    if (!attributes.resourceRequest() || NodeIdentity.of(attributes.user()) == null) {
      return 0;
    }
    return switch (attributes.resource()) {
      case "secrets", "persistentvolumes" ->
          Math.max(view.changed(NodeGraph.PODS), view.changed(NodeGraph.VOLUMES));
      case "configmaps", "persistentvolumeclaims", "resourceclaims", "serviceaccounts" ->
          view.changed(NodeGraph.PODS);
      case "pods" ->
          READING.contains(attributes.verb()) && !attributes.name().isEmpty()
              ? view.changed(NodeGraph.PODS)
              : 0;
      case "volumeattachments" -> view.changed(ATTACHMENTS);
      case "resourceslices" -> attributes.name().isEmpty() ? 0 : view.changed(SLICES);
      default -> 0;
    };
  }

  @Override
  public boolean isSoonDecided(Attributes attributes) {
    var node = attributes.resourceRequest() ? NodeIdentity.of(attributes.user()) : null;
    if (node == null) {
      return true;
    }
    return switch (attributes.resource()) {
      case "secrets",
          "persistentvolumes",
          "configmaps",
          "persistentvolumeclaims",
          "resourceclaims",
          "serviceaccounts" ->
          new NodeGraph(views.get()).isShort(node, FEW_PODS);
      default -> true;
    };
  }

  /** The rights of a node cannot be listed; of other users this mode knows nothing. */
  @Override
  public Rules rulesFor(User user, String namespace) {
    return NodeIdentity.of(user) == null
        ? new Rules(List.of(), false, List.of())
        : new Rules(
            List.of(), true, List.of("node authorizer does not support user rule resolution"));
  }
}
