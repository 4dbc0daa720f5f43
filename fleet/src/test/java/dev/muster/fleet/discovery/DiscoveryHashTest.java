package dev.muster.fleet.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.schema.ResourceCatalog;
import dev.muster.schema.ResourceType;
import dev.muster.server.discovery.DiscoveryDocuments;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DiscoveryHashTest {
  private static final List<ResourceType> TYPES = ResourceCatalog.all().types();

  private static String hash(List<ResourceType> types) {
    return DiscoveryHash.of(new DiscoveryDocuments(types));
  }

  @Test
  void isTheSameForTheSameTypesInWhateverOrderTheyCome() {
    var shuffled = new ArrayList<>(ResourceCatalog.all().types());
    Collections.shuffle(shuffled, new Random(1));
    assertThat(hash(shuffled)).isEqualTo(hash(TYPES)).matches("[0-9a-f]{64}");
  }

  @Test
  void everyTypeCounts() {
    Set<String> seen = new HashSet<>(Set.of(hash(TYPES)));
    for (var without : TYPES) {
      assertThat(seen.add(hash(TYPES.stream().filter(type -> type != without).toList())))
          .as("without %s", without.plural())
          .isTrue();
    }
  }

  @Test
  void everythingThatDiscoveryShowsOfATypeCounts() {
    var pods =
        TYPES.stream().filter(type -> type.plural().equals("pods")).findFirst().orElseThrow();
    Set<String> seen = new HashSet<>(Set.of(hash(List.of(pods))));
    var changes =
        List.of(
            changed(pods, "p", pods.shortNames(), pods.categories(), pods.verbs()),
            changed(pods, pods.singular(), List.of("pp"), pods.categories(), pods.verbs()),
            changed(pods, pods.singular(), pods.shortNames(), List.of(), pods.verbs()),
            changed(pods, pods.singular(), pods.shortNames(), pods.categories(), Set.of("watch")),
            new ResourceType(
                pods.kind(),
                pods.plural(),
                pods.singular(),
                false,
                pods.shortNames(),
                pods.categories(),
                pods.verbs(),
                pods.subresources(),
                pods.storage(),
                pods.stored(),
                pods.shape()),
            new ResourceType(
                pods.kind(),
                pods.plural(),
                pods.singular(),
                true,
                pods.shortNames(),
                pods.categories(),
                pods.verbs(),
                pods.subresources().subList(1, pods.subresources().size()),
                pods.storage(),
                pods.stored(),
                pods.shape()));
    for (var change : changes) {
      assertThat(seen.add(hash(List.of(change)))).as("%s", change).isTrue();
    }
  }

  private static ResourceType changed(
      ResourceType type,
      String singular,
      List<String> shortNames,
      List<String> categories,
      Set<String> verbs) {
    return new ResourceType(
        type.kind(),
        type.plural(),
        singular,
        type.namespaced(),
        shortNames,
        categories,
        verbs,
        type.subresources(),
        type.storage(),
        type.stored(),
        type.shape());
  }
}
