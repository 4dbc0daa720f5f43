package dev.muster.fleet.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.registry.builtin.BuiltInTypes;
import dev.muster.schema.ResourceType.Subresource;
import dev.muster.server.discovery.DiscoveryDocuments;
import dev.muster.types.ServedType;
import dev.muster.types.ServedTypeBuilder;
import dev.muster.types.Types;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DiscoveryHashTest {
  private static final List<ServedType> TYPES =
      BuiltInTypes.all().stream().filter(ServedType::isServed).toList();

  private static String hash(List<ServedType> types) {
    return DiscoveryHash.of(new DiscoveryDocuments(Types.of(types)));
  }

  @Test
  void isTheSameForTheSameTypesInWhateverOrderTheyCome() {
    var shuffled = new ArrayList<>(TYPES);
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
            copy(pods, true, pods.subresources()).singular("p").build(),
            copy(pods, true, pods.subresources()).shortNames(List.of("pp")).build(),
            copy(pods, true, pods.subresources()).categories().build(),
            copy(pods, true, pods.subresources()).verbs("watch").build(),
            copy(pods, false, pods.subresources()).build(),
            copy(pods, true, pods.subresources().subList(1, pods.subresources().size())).build());
    for (var change : changes) {
      assertThat(seen.add(hash(List.of(change)))).as("%s", change).isTrue();
    }
  }

  private static ServedTypeBuilder copy(
      ServedType type, boolean namespaced, List<Subresource> subresources) {
    var copy =
        new ServedTypeBuilder(type.kind(), type.plural(), namespaced, type.shape(), type.strategy())
            .shortNames(type.shortNames())
            .categories(type.categories().toArray(String[]::new));
    subresources.forEach(one -> copy.subresource(one.name(), one.kind(), one.verbs()));
    return copy;
  }
}
