package dev.muster.model.gocompat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupResource;
import dev.muster.model.status.ApiException;
import dev.muster.model.validation.FieldError;
import dev.muster.model.validation.FieldPath;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoTextTest {
  private static final String ODD = "a\nb\u0000<\"\\ä";

  @Test
  void textsAreQuotedAsGoDoesIt() {
    assertThat(GoText.quote(ODD)).isEqualTo("\"a\\nb\\x00<\\\"\\\\ä\"");
    assertThat(GoText.json(ODD)).isEqualTo("\"a\\nb\\u0000\\u003c\\\"\\\\ä\"");
  }

  @Test
  void aMessageHasOneLineWhateverTheNameIs() {
    var error = FieldError.notSupported(FieldPath.of("f"), ODD, List.of("x"));
    assertThat(ApiException.invalid(new GroupKind("", "K"), "a\nb", List.of(error)).text())
        .isEqualTo(
            "K \"a\\nb\" is invalid: f: Unsupported value:"
                + " \"a\\nb\\u0000\\u003c\\\"\\\\ä\": supported values: \"x\"");
    assertThat(ApiException.notFound(new GroupResource("", "k"), "a\nb").text())
        .isEqualTo("k \"a\\nb\" not found");
  }
}
