package dev.muster.registry.stored;

import static dev.muster.registry.stored.Stored.at;
import static dev.muster.registry.stored.Stored.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Definitions as kube-apiserver keeps them are served in the version that clients know. */
class LegacyDefinitionTest {
  private static JsonObject definition(String spec, String status) {
    return read(
        "/apiextensions.k8s.io/customresourcedefinitions",
        ("{'apiVersion':'apiextensions.k8s.io/v1beta1','kind':'CustomResourceDefinition',"
                + "'metadata':{'name':'widgets.example.com'},'spec':{'group':'example.com',"
                + "'names':{'plural':'widgets','kind':'Widget'},%s},'status':{%s}}")
            .formatted(spec, status));
  }

  @Test
  void whatAllVersionsHaveInCommonStandsInEach() {
    var object =
        definition(
            "'version':'v1','versions':[{'name':'v1','served':true,'storage':true},"
                + "{'name':'v2','served':true,'storage':false}],'scope':'Cluster',"
                + "'validation':{'openAPIV3Schema':{'type':'object'}},'subresources':{'status':{}},"
                + "'additionalPrinterColumns':[{'name':'Size','type':'integer','JSONPath':'.spec.size'}],"
                + "'selectableFields':[{'jsonPath':'.spec.color'}],"
                + "'conversion':{'strategy':'None'},'preserveUnknownFields':false",
            "'storedVersions':['v1'],'conditions':null,'acceptedNames':{'plural':'','kind':''}");
    assertThat(object.string("apiVersion")).isEqualTo("apiextensions.k8s.io/v1");
    var common =
        "'schema':{'openAPIV3Schema':{'type':'object'}},'subresources':{'status':{}},"
            + "'additionalPrinterColumns':[{'name':'Size','type':'integer','jsonPath':'.spec.size'}],"
            + "'selectableFields':[{'jsonPath':'.spec.color'}]";
    assertThat(at(object, "spec", "versions"))
        .isEqualTo(
            "[{'name':'v1','served':true,'storage':true,"
                + common
                + "},{'name':'v2','served':true,'storage':false,"
                + common
                + "}]");
    assertThat(object.object("spec").keys())
        .containsExactly("group", "names", "scope", "versions", "conversion");
    assertThat(at(object, "spec", "names"))
        .isEqualTo(
            "{'plural':'widgets','singular':'widget','kind':'Widget','listKind':'WidgetList'}");
    assertThat(at(object, "spec", "conversion")).isEqualTo("{'strategy':'None'}");
  }

  @Test
  void whatVersionsHaveOfTheirOwnStays() {
    var object =
        definition(
            "'versions':[{'name':'v1','served':true,'storage':true,"
                + "'schema':{'openAPIV3Schema':{'type':'object'}}},{'name':'v2','served':true,"
                + "'storage':false,'additionalPrinterColumns':[{'name':'A','type':'string',"
                + "'JSONPath':'.a'}]}]",
            "");
    assertThat(at(object, "spec", "versions"))
        .isEqualTo(
            "[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
                + "{'type':'object'}}},{'name':'v2','served':true,'storage':false,"
                + "'additionalPrinterColumns':[{'name':'A','type':'string','jsonPath':'.a'}]}]");
    assertThat(at(object, "status", "storedVersions")).isEqualTo("['v1']");
  }

  @Test
  void theOldestDefinitionsHaveOneVersionAndKeepUnknownFields() {
    var object = definition("'version':'v1alpha1'", "");
    assertThat(at(object, "spec", "versions"))
        .isEqualTo("[{'name':'v1alpha1','served':true,'storage':true}]");
    assertThat(at(object, "spec", "scope")).isEqualTo("'Namespaced'");
    assertThat(at(object, "spec", "preserveUnknownFields")).isEqualTo("true");
    assertThat(at(object, "status", "storedVersions")).isEqualTo("['v1alpha1']");
  }

  @Test
  void webhooksForConversionHaveAPlaceOfTheirOwn() {
    var object =
        definition(
            "'version':'v1','conversion':{'strategy':'Webhook','webhookClientConfig':"
                + "{'service':{'namespace':'n','name':'s'}}}",
            "");
    assertThat(at(object, "spec", "conversion"))
        .isEqualTo(
            "{'strategy':'Webhook','webhook':{'clientConfig':{'service':{'namespace':'n',"
                + "'name':'s','port':443}},'conversionReviewVersions':['v1beta1']}}");
  }
}
