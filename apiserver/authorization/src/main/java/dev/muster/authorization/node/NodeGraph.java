package dev.muster.authorization.node;

import dev.muster.authorization.node.References.Kind;
import dev.muster.replica.object.StoredObject;
import dev.muster.types.ClusterView;

/**
 * Finds relations between objects and nodes in one view of the cluster: by the pods of a node, and
 * by the volumes of their claims. Immutable and thread-safe. It maintains no graph: the view has an
 * index of pods by node and of volumes by claim, and each object holds its references, so a check
 * reads only the pods of one node.
 *
 * @param pods finds the references of pods
 * @param volumes finds the references of persistent volumes
 */
record NodeGraph(ClusterView view, References pods, References volumes) {
  static final String PODS = "/pods";
  static final String VOLUMES = "/persistentvolumes";
  private static final String NODE_FIELD = "spec.nodeName";
  private static final String CLAIM_FIELD = "spec.claimRef";

  NodeGraph(ClusterView view) {
    this(view, References.OF_PODS, References.OF_VOLUMES);
  }

  /** Whether a pod on that node refers to that object in its own namespace. */
  boolean isUsed(String node, Kind kind, String namespace, String name) {
    if (namespace.isEmpty()) {
      return false;
    }
    var line = References.line(kind, name);
    for (var pod : view.indexed(PODS, NODE_FIELD, node, namespace)) {
      if (pods.has(pod, line)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a pod on that node uses the claim that the volume belongs to. */
  boolean isMounted(String node, String volumeName) {
    var volume = view.stored(VOLUMES, "", volumeName);
    if (volume != null) {
      for (var claim : volumes.all(volume, Kind.CLAIM)) {
        int slash = claim.indexOf('/');
        if (isUsed(node, Kind.CLAIM, claim.substring(0, slash), claim.substring(slash + 1))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a pod on that node uses the secret itself, or a volume that needs it. */
  boolean isReadable(String node, String namespace, String secret) {
    if (isUsed(node, Kind.SECRET, namespace, secret)) {
      return true;
    }
    if (view.isEmpty(VOLUMES, "")) {
      return false;
    }
    var line = References.line(Kind.SECRET, namespace + "/" + secret);
    for (var pod : view.indexed(PODS, NODE_FIELD, node, "")) {
      for (var claim : pods.all(pod, Kind.CLAIM)) {
        var owner = pod.name().namespace() + "/" + claim;
        for (var volume : view.indexed(VOLUMES, CLAIM_FIELD, owner, "")) {
          if (volumes.has(volume, line)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether the object names that node in its spec. */
  boolean isOn(String node, String collection, String namespace, String name) {
    var object = view.stored(collection, namespace, name);
    return object != null && form(collection).has(object, References.line(Kind.NODE, node));
  }

  private References form(String collection) {
    return collection.equals(PODS) ? pods : References.OF_NODE;
  }

  /**
   * Whether the node has at most that many pods and their references are computed, so that a check
   * is quick.
   */
  boolean isShort(String node, int most) {
    var range = view.indexed(PODS, NODE_FIELD, node, "");
    if (range.count() > most) {
      return false;
    }
    for (var pod : range) {
      if (!isKnown(pod)) {
        return false;
      }
    }
    return true;
  }

  private boolean isKnown(StoredObject pod) {
    return pod.remembers(pods);
  }
}
