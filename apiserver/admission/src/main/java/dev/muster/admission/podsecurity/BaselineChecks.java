package dev.muster.admission.podsecurity;

import static dev.muster.admission.podsecurity.Violation.containers;
import static dev.muster.admission.podsecurity.Violation.plural;
import static dev.muster.admission.podsecurity.Violation.quote;

import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The checks of the level {@code baseline}; a check returns null when the pod complies. */
final class BaselineChecks {
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

  private static final Set<String> CAPABILITIES =
      Set.of(
          "AUDIT_WRITE",
          "CHOWN",
          "DAC_OVERRIDE",
          "FOWNER",
          "FSETID",
          "KILL",
          "MKNOD",
          "NET_BIND_SERVICE",
          "SETFCAP",
          "SETGID",
          "SETPCAP",
          "SETUID",
          "SYS_CHROOT");

  private BaselineChecks() {}

  static @Nullable Violation appArmorProfile(PodView pod, int minor) {
    var setters = new ArrayList<String>();
    var values = new TreeSet<String>();
    collect(
        pod,
        context -> {
          var type = context.object("appArmorProfile").string("type");
          boolean bad =
              context.has("appArmorProfile")
                  && !type.equals("RuntimeDefault")
                  && !type.equals("Localhost");
          if (bad) {
            values.add(type);
          }
          return bad;
        },
        setters);
    var notes = new TreeSet<String>();
    pod.annotations()
        .strings()
        .forEach(
            (key, value) -> {
              if (key.startsWith(APP_ARMOR)
                  && !value.isEmpty()
                  && !value.equals("runtime/default")
                  && !value.startsWith("localhost/")) {
                notes.add(key + "=" + GoText.quote(value));
              }
            });
    var all = new ArrayList<>(values);
    all.addAll(notes);
    if (!notes.isEmpty()) {
      setters.add(plural(notes, "annotation", "annotations"));
    }
    return setters.isEmpty()
        ? null
        : new Violation(
            plural(all, "forbidden AppArmor profile", "forbidden AppArmor profiles"),
            String.join(" and ", setters) + " must not set AppArmor profile type to " + quote(all));
  }

  /** Adds the pod and the containers whose security context violates the check. */
  static void collect(PodView pod, Predicate<JsonObject> bad, List<String> setters) {
    if (bad.test(pod.context())) {
      setters.add("pod");
    }
    var names = pod.containersWhose(bad);
    if (!names.isEmpty()) {
      setters.add(containers(names));
    }
  }

  static @Nullable Violation capabilities(PodView pod, int minor) {
    var added = new TreeSet<String>();
    var names =
        pod.containersWhose(
            context -> {
              var bad = new HashSet<>(context.object("capabilities").array("add").strings());
              bad.removeAll(CAPABILITIES);
              added.addAll(bad);
              return !bad.isEmpty();
            });
    return names.isEmpty()
        ? null
        : new Violation(
            "non-default capabilities",
            containers(names)
                + " must not include "
                + quote(added)
                + " in securityContext.capabilities.add");
  }

  static @Nullable Violation hostNamespaces(PodView pod, int minor) {
    var shared =
        List.of("hostNetwork", "hostPID", "hostIPC").stream()
            .filter(pod.spec()::isTrue)
            .map(name -> name + "=true")
            .toList();
    return shared.isEmpty() ? null : new Violation("host namespaces", String.join(", ", shared));
  }

  static @Nullable Violation hostPathVolumes(PodView pod, int minor) {
    var names =
        pod.spec().array("volumes").objects().stream()
            .filter(volume -> volume.has("hostPath"))
            .map(volume -> volume.string("name"))
            .toList();
    return names.isEmpty()
        ? null
        : new Violation(
            "hostPath volumes", plural(names, "volume", "volumes") + " " + quote(names));
  }

  static @Nullable Violation hostPorts(PodView pod, int minor) {
    var names = new ArrayList<String>();
    var ports = new TreeSet<String>();
    for (var container : pod.containers()) {
      var used =
          container.array("ports").objects().stream()
              .map(port -> port.integer("hostPort", 0))
              .filter(port -> port != 0)
              .map(String::valueOf)
              .toList();
      if (!used.isEmpty()) {
        names.add(container.string("name"));
        ports.addAll(used);
      }
    }
    return names.isEmpty()
        ? null
        : new Violation(
            "hostPort",
            "%s %s %s %s"
                .formatted(
                    containers(names),
                    plural(names, "uses", "use"),
                    plural(ports, "hostPort", "hostPorts"),
                    String.join(", ", ports)));
  }

  static @Nullable Violation hostProbes(PodView pod, int minor) {
    if (minor < 34) {
      return null;
    }
    var names = new TreeSet<String>();
    var hosts = new TreeSet<String>();
    for (var container : pod.containers()) {
      var found = new TreeSet<String>();
      for (var handler :
          List.of(
              container.object("livenessProbe"),
              container.object("readinessProbe"),
              container.object("startupProbe"),
              container.object("lifecycle", "postStart"),
              container.object("lifecycle", "preStop"))) {
        found.add(handler.object("httpGet").string("host"));
        found.add(handler.object("tcpSocket").string("host"));
      }
      found.remove("");
      if (!found.isEmpty()) {
        names.add(container.string("name"));
        hosts.addAll(found);
      }
    }
    return names.isEmpty()
        ? null
        : new Violation(
            "probe or lifecycle host",
            "%s %s %s %s"
                .formatted(
                    containers(names),
                    plural(names, "uses", "use"),
                    plural(hosts, "probe or lifecycle host", "probe or lifecycle hosts"),
                    quote(hosts)));
  }

  static @Nullable Violation privileged(PodView pod, int minor) {
    var names = pod.containersWhose(context -> context.isTrue("privileged"));
    return names.isEmpty()
        ? null
        : new Violation(
            "privileged", containers(names) + " must not set securityContext.privileged=true");
  }

  static @Nullable Violation procMount(PodView pod, int minor) {
    return minor >= 35 && pod.hasOwnUsers() ? null : anyProcMount(pod, minor);
  }

  static @Nullable Violation anyProcMount(PodView pod, int minor) {
    var types = new TreeSet<String>();
    var names =
        pod.containersWhose(
            context -> {
              boolean bad =
                  context.has("procMount") && !context.string("procMount").equals("Default");
              if (bad) {
                types.add(context.string("procMount"));
              }
              return bad;
            });
    return names.isEmpty()
        ? null
        : new Violation(
            "procMount",
            containers(names) + " must not set securityContext.procMount to " + quote(types));
  }

  static @Nullable Violation seLinuxOptions(PodView pod, int minor) {
    var allowed = new HashSet<>(Set.of("", "container_t", "container_init_t", "container_kvm_t"));
    if (minor >= 31) {
      allowed.add("container_engine_t");
    }
    var types = new TreeSet<String>();
    var complaints = new TreeSet<String>();
    var setters = new ArrayList<String>();
    collect(
        pod,
        context -> {
          var options = context.object("seLinuxOptions");
          boolean badType = !allowed.contains(options.string("type"));
          boolean user = !options.string("user").isEmpty();
          boolean role = !options.string("role").isEmpty();
          if (badType) {
            types.add(options.string("type"));
          }
          if (user) {
            complaints.add("1user may not be set");
          }
          if (role) {
            complaints.add("2role may not be set");
          }
          return badType || user || role;
        },
        setters);
    if (setters.isEmpty()) {
      return null;
    }
    var data = new ArrayList<String>();
    if (!types.isEmpty()) {
      data.add(plural(types, "type", "types") + " " + quote(types));
    }
    complaints.forEach(complaint -> data.add(complaint.substring(1)));
    return new Violation(
        "seLinuxOptions",
        String.join(" and ", setters)
            + " set forbidden securityContext.seLinuxOptions: "
            + String.join("; ", data));
  }

  static @Nullable Violation seccompProfile(PodView pod, int minor) {
    return minor < 19 ? seccompAnnotations(pod) : seccompFields(pod);
  }

  private static @Nullable Violation seccompAnnotations(PodView pod) {
    var keys = new ArrayList<String>();
    keys.add(SECCOMP_POD);
    pod.containers().forEach(c -> keys.add(SECCOMP_CONTAINER + c.string("name")));
    var bad = new TreeSet<String>();
    for (var key : keys) {
      var value = pod.annotations().string(key);
      if (pod.annotations().has(key)
          && !value.equals("runtime/default")
          && !value.equals("docker/default")
          && !value.startsWith("localhost/")) {
        bad.add(key + "=" + GoText.quote(value));
      }
    }
    return bad.isEmpty()
        ? null
        : new Violation(
            "seccompProfile",
            "forbidden " + plural(bad, "annotation", "annotations") + " " + String.join(", ", bad));
  }

  static @Nullable Violation seccompFields(PodView pod) {
    var values = new TreeSet<String>();
    var setters = new ArrayList<String>();
    collect(
        pod,
        context -> {
          boolean bad = context.has("seccompProfile") && !isSeccomp(context);
          if (bad) {
            values.add(context.object("seccompProfile").string("type"));
          }
          return bad;
        },
        setters);
    return setters.isEmpty()
        ? null
        : new Violation(
            "seccompProfile",
            String.join(" and ", setters)
                + " must not set securityContext.seccompProfile.type to "
                + quote(values));
  }

  static boolean isSeccomp(JsonObject context) {
    var type = context.object("seccompProfile").string("type");
    return type.equals("Localhost") || type.equals("RuntimeDefault");
  }

  static @Nullable Violation sysctls(PodView pod, int minor) {
    var bad =
        pod.context().array("sysctls").objects().stream()
            .map(sysctl -> sysctl.string("name"))
            .filter(name -> minor < sysctlSince(name) || sysctlSince(name) < 0)
            .toList();
    return bad.isEmpty() ? null : new Violation("forbidden sysctls", String.join(", ", bad));
  }

  /** The Kubernetes version that first allows a sysctl; -1 if none does. */
  private static int sysctlSince(String name) {
    return switch (name) {
      case "kernel.shm_rmid_forced",
          "net.ipv4.ip_local_port_range",
          "net.ipv4.tcp_syncookies",
          "net.ipv4.ping_group_range",
          "net.ipv4.ip_unprivileged_port_start" ->
          0;
      case "net.ipv4.ip_local_reserved_ports" -> 27;
      case "net.ipv4.tcp_keepalive_time",
          "net.ipv4.tcp_fin_timeout",
          "net.ipv4.tcp_keepalive_intvl",
          "net.ipv4.tcp_keepalive_probes" ->
          29;
      case "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem" -> 32;
      default -> -1;
    };
  }

  static @Nullable Violation windowsHostProcess(PodView pod, int minor) {
    var setters = new ArrayList<String>();
    collect(pod, context -> context.object("windowsOptions").isTrue("hostProcess"), setters);
    return setters.isEmpty()
        ? null
        : new Violation(
            "hostProcess",
            String.join(" and ", setters)
                + " must not set securityContext.windowsOptions.hostProcess=true");
  }
}
