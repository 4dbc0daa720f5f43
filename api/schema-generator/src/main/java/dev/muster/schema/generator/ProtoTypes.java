package dev.muster.schema.generator;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The protobuf messages of the client, by the names of their OpenAPI definitions. */
final class ProtoTypes {
  static final List<String> FILES =
      List.of(
          "Meta",
          "V1",
          "V1Admission",
          "V1Admissionregistration",
          "V1Apiextensions",
          "V1Apps",
          "V1Authentication",
          "V1Authorization",
          "V1Autoscaling",
          "V1Batch",
          "V1Certificates",
          "V1Coordination",
          "V1Discovery",
          "V1Events",
          "V1Flowcontrol",
          "V1Networking",
          "V1Node",
          "V1Policy",
          "V1Rbac",
          "V1Resource",
          "V1Scheduling",
          "V1Storage",
          "V1alpha1Apiserverinternal",
          "V1beta1Policy",
          "V1beta1Storagemigration",
          "V2Apidiscovery",
          "V2Autoscaling");

  private ProtoTypes() {}

  /** All messages of the wanted packages, in the order of their files. */
  static Map<String, Descriptor> load(Set<String> packages) {
    var messages = new LinkedHashMap<String, Descriptor>();
    for (var file : FILES) {
      for (var message : descriptor(file).getMessageTypes()) {
        var name = definition(message);
        if (packages.contains(name.substring(0, name.lastIndexOf('.')))) {
          messages.put(name, message);
        }
      }
    }
    return messages;
  }

  private static FileDescriptor descriptor(String file) {
    try {
      var type = Class.forName("io.kubernetes.client.proto." + file);
      return (FileDescriptor) type.getMethod("getDescriptor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot load the messages of " + file, e);
    }
  }

  /** The name of the OpenAPI definition that goes with a message. */
  static String definition(Descriptor message) {
    return message.getFullName().replaceFirst("^k8s\\.io\\.", "io.k8s.").replace('_', '-');
  }
}
