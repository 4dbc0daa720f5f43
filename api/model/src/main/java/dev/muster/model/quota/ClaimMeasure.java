package dev.muster.model.quota;

import dev.muster.model.Quantity;
import dev.muster.model.json.JsonObject;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Measures PersistentVolumeClaims: their number and storage, in total and by StorageClass. */
public final class ClaimMeasure implements Measure {
  private static final String COUNT = "count/persistentvolumeclaims";
  private static final String CLAIMS = "persistentvolumeclaims";
  private static final String STORAGE = "requests.storage";
  private static final String BY_CLASS = ".storageclass.storage.k8s.io/";
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  @Override
  public List<String> matching(Collection<String> names) {
    return names.stream()
        .filter(
            name ->
                name.equals(COUNT)
                    || name.equals(CLAIMS)
                    || name.equals(STORAGE)
                    || name.endsWith(BY_CLASS + CLAIMS)
                    || name.endsWith(BY_CLASS + STORAGE))
        .sorted()
        .toList();
  }

  @Override
  public boolean matchesScope(JsonObject requirement, JsonObject claim) {
    if (!requirement.string("scopeName").equals("VolumeAttributesClass")) {
      return false;
    }
    var classes = attributeClasses(claim);
    return classes.isEmpty()
        ? Scopes.matches(requirement, null)
        : classes.stream().anyMatch(name -> Scopes.matches(requirement, name));
  }

  private static Set<String> attributeClasses(JsonObject claim) {
    var names = new TreeSet<String>();
    names.add(claim.object("spec").string("volumeAttributesClassName"));
    names.add(claim.object("status").string("currentVolumeAttributesClassName"));
    names.add(
        claim.object("status", "modifyVolumeStatus").string("targetVolumeAttributesClassName"));
    names.remove("");
    return names;
  }

  @Override
  public ResourceList usage(JsonObject claim) {
    var usage = new ResourceList();
    usage.put(CLAIMS, Quantity.of(1));
    usage.put(COUNT, Quantity.of(1));
    var annotations = claim.object("metadata", "annotations");
    var name =
        annotations.has(CLASS_ANNOTATION)
            ? annotations.string(CLASS_ANNOTATION)
            : claim.object("spec").string("storageClassName");
    if (!name.isEmpty()) {
      usage.put(name + BY_CLASS + CLAIMS, Quantity.of(1));
    }
    var requests = ResourceList.of(claim.object("spec", "resources", "requests"));
    if (requests.has("storage")) {
      var storage = requests.get("storage").roundedUp(0);
      var already = ResourceList.of(claim.object("status", "allocatedResources")).get("storage");
      if (already.compareTo(storage) > 0) {
        storage = already.roundedUp(0);
      }
      usage.put(STORAGE, storage);
      if (!name.isEmpty()) {
        usage.put(name + BY_CLASS + STORAGE, storage);
      }
    }
    return usage;
  }
}
