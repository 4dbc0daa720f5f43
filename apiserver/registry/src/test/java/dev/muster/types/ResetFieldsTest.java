package dev.muster.types;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.patch.ownership.fields.FieldFilter;
import dev.muster.patch.ownership.fields.FieldSet;
import dev.muster.schema.storage.JsonStorageCodec;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResetFieldsTest {
  @ParameterizedTest
  @CsvSource({
    "internal.apiserver.k8s.io, v1alpha1, storageversions",
    "storagemigration.k8s.io, v1beta1, storageversionmigrations",
    "flowcontrol.apiserver.k8s.io, v1, flowschemas",
  })
  void aStatusThatKeepsTheMetadataOwnsNothingOfIt(String group, String version, String plural) {
    var all = BuiltIns.readBy(storage -> new JsonStorageCodec()::decode);
    var type = Objects.requireNonNull(all.find(group, version, plural));
    assertThat(type.resetFields("status"))
        .isEqualTo(FieldFilter.without(FieldSet.of("metadata", "spec")));
  }
}
