package dev.muster.admission;

import dev.muster.admission.config.AdmissionConfiguration;
import dev.muster.model.gocompat.GoText;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.admission.Admission;
import dev.muster.registry.admission.AdmissionObserver;
import dev.muster.registry.admission.AdmissionObserver.Step;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.registry.admission.RelatedStatusUpdate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Runs several admission plugins as one: all mutate in order, then all validate in order. */
public final class AdmissionChain implements Admission {
  private final List<ObservedPlugin> admitting;
  private final List<ObservedPlugin> validating;
  private final AdmissionObserver observer;

  /** Plugins without metrics. */
  public AdmissionChain(List<Admission> plugins) {
    this(
        plugins.stream().map(plugin -> ObservedPlugin.of("", plugin)).toList(),
        AdmissionObserver.NONE);
  }

  private AdmissionChain(List<ObservedPlugin> plugins, AdmissionObserver observer) {
    this.admitting = plugins.stream().filter(ObservedPlugin::admits).toList();
    this.validating = plugins.stream().filter(ObservedPlugin::validates).toList();
    this.observer = observer;
  }

  /**
   * The plugins that the flags select: the default ones plus the enabled ones, minus the disabled
   * ones.
   *
   * @param last runs after all mutating plugins and before the quota, such as the escalation check
   * @throws IllegalArgumentException for an unknown name, with the flag's name, for one that is
   *     both enabled and disabled, and for an invalid plugin configuration
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
    checkConfigurable(around.configuration());
    var chosen = new ArrayList<ObservedPlugin>();
    for (var plugin : AdmissionPlugin.values()) {
      if (plugin == AdmissionPlugin.RESOURCE_QUOTA) {
        last.forEach(admission -> chosen.add(ObservedPlugin.of("", admission)));
      }
      boolean wanted = plugin.isDefault() || on.contains(plugin.pluginName());
      if (wanted && !off.contains(plugin.pluginName())) {
        chosen.add(ObservedPlugin.of(plugin.pluginName(), plugin.make(around)));
      }
    }
    return new AdmissionChain(chosen, around.observer());
  }

  /** A configuration for a plugin that accepts none is an error. */
  private static void checkConfigurable(AdmissionConfiguration configuration) {
    for (var name : new TreeSet<>(configuration.plugins().keySet())) {
      boolean listens =
          Arrays.stream(AdmissionPlugin.values())
              .anyMatch(plugin -> plugin.pluginName().equals(name) && plugin.isConfigurable());
      if (!listens) {
        throw AdmissionConfiguration.wrong("plugin " + GoText.quote(name) + " takes none here");
      }
    }
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
   * Runs all mutating plugins in order. If one of them requests reinvocation, all run once more;
   * the request tells them that it is the second round.
   */
  @Override
  public JsonObject admit(AdmissionRequest request) {
    long start = System.nanoTime();
    boolean rejected = true;
    try {
      var reinvocation = request.reinvocation();
      var current = mutated(request);
      if (reinvocation.isRequested() && !reinvocation.isSecondRound()) {
        reinvocation.begin();
        current = mutated(current);
      }
      rejected = false;
      return Admission.super.admit(current);
    } finally {
      observer.step(Step.ADMIT, request.operation(), rejected, System.nanoTime() - start);
    }
  }

  private AdmissionRequest mutated(AdmissionRequest request) {
    var current = request;
    long start = System.nanoTime();
    for (var plugin : admitting) {
      boolean rejected = true;
      try {
        var object = plugin.admission().admit(current);
        if (current.object() != null && object != current.object()) {
          current = current.withObject(object);
        }
        rejected = false;
      } finally {
        start = observed(plugin, Step.ADMIT, request, rejected, start);
      }
    }
    return current;
  }

  @Override
  public List<RelatedStatusUpdate> validate(AdmissionRequest request) {
    long start = System.nanoTime();
    boolean rejected = true;
    try {
      var companions = validated(request, start);
      rejected = false;
      return companions;
    } finally {
      observer.step(Step.VALIDATE, request.operation(), rejected, System.nanoTime() - start);
    }
  }

  private List<RelatedStatusUpdate> validated(AdmissionRequest request, long began) {
    List<RelatedStatusUpdate> all = List.of();
    long start = began;
    for (var plugin : validating) {
      boolean rejected = true;
      try {
        var more = plugin.admission().validate(request);
        if (!more.isEmpty()) {
          all = all.isEmpty() ? more : concat(all, more);
        }
        rejected = false;
      } finally {
        start = observed(plugin, Step.VALIDATE, request, rejected, start);
      }
    }
    return all;
  }

  /** Reports the time of a plugin and returns its end, at which the next plugin begins. */
  private long observed(
      ObservedPlugin plugin, Step step, AdmissionRequest request, boolean rejected, long start) {
    long now = System.nanoTime();
    if (!plugin.name().isEmpty()) {
      observer.plugin(plugin.name(), step, request.operation(), rejected, now - start);
    }
    return now;
  }

  private static List<RelatedStatusUpdate> concat(
      List<RelatedStatusUpdate> one, List<RelatedStatusUpdate> other) {
    var all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }
}
