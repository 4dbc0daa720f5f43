package dev.muster.access.admission;

import dev.muster.model.go.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.Companion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Several plugins as one: all mutate in order, then all validate in order. */
public final class AdmissionChain implements Admission {
  private final List<Admission> plugins;

  public AdmissionChain(List<Admission> plugins) {
    this.plugins = plugins.stream().filter(plugin -> plugin != Admission.NONE).toList();
  }

  /**
   * The plugins that the flags choose: the default ones, and those enabled, without those disabled.
   *
   * @param last what runs after all plugins that mutate and before the quota, such as the check
   *     that nobody grants rights he lacks
   * @throws IllegalArgumentException for a name that is not known, with the flag's name, and for
   *     one that is both enabled and disabled
   */
  public static AdmissionChain of(
      List<String> enabled,
      List<String> disabled,
      AdmissionPlugin.PluginContext around,
      List<Admission> last) {
    var on = names("enable-admission-plugins", enabled);
    var off = names("disable-admission-plugins", disabled);
    var both = new TreeSet<>(on);
    both.retainAll(off);
    if (!both.isEmpty()) {
      throw new IllegalArgumentException(
          "["
              + String.join(" ", both)
              + "] in enable-admission-plugins and disable-admission-plugins overlapped");
    }
    var chosen = new ArrayList<Admission>();
    for (var plugin : AdmissionPlugin.values()) {
      if (plugin == AdmissionPlugin.RESOURCE_QUOTA) {
        chosen.addAll(last);
      }
      boolean wanted = plugin.isDefault() || on.contains(plugin.pluginName());
      if (wanted && !off.contains(plugin.pluginName())) {
        chosen.add(plugin.make(around));
      }
    }
    return new AdmissionChain(chosen);
  }

  private static Set<String> names(String flag, List<String> names) {
    var known = new HashSet<String>();
    for (var plugin : AdmissionPlugin.values()) {
      known.add(plugin.pluginName());
    }
    for (var name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(flag + " plugin " + GoText.quote(name) + " is unknown");
      }
    }
    return new HashSet<>(names);
  }

  /**
   * All mutate in order; when one of them asked for it, all do so once more, and those who must not
   * run twice know by the request.
   */
  @Override
  public JsonObject admit(AdmissionRequest request) {
    var reinvocation = request.reinvocation();
    var current = mutated(request);
    if (reinvocation.isRequested() && !reinvocation.isSecondRound()) {
      reinvocation.begin();
      current = mutated(current);
    }
    return Admission.super.admit(current);
  }

  private AdmissionRequest mutated(AdmissionRequest request) {
    var current = request;
    for (var plugin : plugins) {
      var object = plugin.admit(current);
      if (current.object() != null && object != current.object()) {
        current = current.withObject(object);
      }
    }
    return current;
  }

  @Override
  public List<Companion> validate(AdmissionRequest request) {
    List<Companion> all = List.of();
    for (var plugin : plugins) {
      var more = plugin.validate(request);
      if (!more.isEmpty()) {
        all = all.isEmpty() ? more : concat(all, more);
      }
    }
    return all;
  }

  private static List<Companion> concat(List<Companion> one, List<Companion> other) {
    var all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }
}
