package dev.muster.admission;

import static dev.muster.admission.Plugins.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.admission.permissions.ClaimStatusAccess;
import dev.muster.admission.permissions.ParameterAccess;
import dev.muster.authorization.Authorizer;
import dev.muster.authorization.Decision;
import dev.muster.authorization.FakeCluster;
import dev.muster.authorization.Requests;
import dev.muster.model.User;
import dev.muster.registry.admission.AdmissionOperation;
import dev.muster.registry.admission.AdmissionRequest;
import dev.muster.types.ServedType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Writes that take rights on something that the object only refers to. */
class ReferredAccessTest {
  private static final String GROUP = "admissionregistration.k8s.io/v1";
  private static final ServedType POLICIES =
      Requests.type(GROUP, "ValidatingAdmissionPolicy", "validatingadmissionpolicies");
  private static final ServedType BINDINGS =
      Requests.type(GROUP, "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings");
  private static final ServedType MUTATING_BINDINGS =
      Requests.type(GROUP, "MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings");
  private static final ServedType CLAIMS =
      Requests.type("resource.k8s.io/v1", "ResourceClaim", "resourceclaims");

  private final FakeCluster cluster = new FakeCluster();
  private final Requests requests = new Requests(cluster);
  private final List<String> asked = new ArrayList<>();
  private final Set<String> allowed = new HashSet<>();

  private final Authorizer authorizer =
      wanted -> {
        var text =
            String.join(
                " ",
                wanted.verb(),
                wanted.group() + "/" + wanted.version(),
                wanted.subresource().isEmpty()
                    ? wanted.resource()
                    : wanted.resource() + "/" + wanted.subresource(),
                wanted.namespace() + ":" + wanted.name());
        asked.add(text);
        return allowed.contains(text) ? Decision.allow("") : Decision.NO_OPINION;
      };

  private void parameters(AdmissionRequest request) {
    new ParameterAccess(authorizer).validate(request);
  }

  private void status(AdmissionRequest request) {
    new ClaimStatusAccess(authorizer).validate(request);
  }

  private static String policy(String kind) {
    return "{'metadata':{'name':'p'},'spec':{'paramKind':" + kind + "}}";
  }

  private static String binding(String reference) {
    return "{'metadata':{'name':'b'},'spec':{'policyName':'p','paramRef':" + reference + "}}";
  }

  @Test
  void aPolicyReadsOnlyWhatItsWriterMayRead() {
    var wanted = json(policy("{'apiVersion':'v1','kind':'Secret'}"));
    assertThatThrownBy(() -> parameters(requests.create(POLICIES, wanted)))
        .hasMessage(
            "ValidatingAdmissionPolicy.admissionregistration.k8s.io \"p\" is invalid:"
                + " spec.paramKind: Forbidden: user &{jane  [system:authenticated] map[]} must have"
                + " \"get\" permission on all objects of the referenced paramKind (kind=Secret,"
                + " apiVersion=v1)");
    allowed.add("get /v1 secrets *:*");
    assertThatCode(() -> parameters(requests.create(POLICIES, wanted))).doesNotThrowAnyException();
    parameters(requests.create(POLICIES, json("{'spec':{}}")));
    assertThat(asked).containsOnly("get /v1 secrets *:*");
  }

  @Test
  void anUnknownKindTakesTheRightToReadAllOfItsGroup() {
    var wanted = json(policy("{'apiVersion':'example.com/v1','kind':'Pear'}"));
    allowed.add("get example.com/v1 * *:*");
    assertThatCode(() -> parameters(requests.create(POLICIES, wanted))).doesNotThrowAnyException();
  }

  @Test
  void whatStaysOrComesFromMastersIsNotAskedAbout() {
    var wanted = json(policy("{'apiVersion':'v1','kind':'Secret'}"));
    parameters(requests.update(POLICIES, wanted, wanted));
    parameters(requests.by(User.of("root", User.MASTERS)).create(POLICIES, wanted));
    assertThat(asked).isEmpty();
  }

  @Test
  void aBindingRefersOnlyToWhatItsWriterMayRead() {
    var named = json(binding("{'name':'n','namespace':'a'}"));
    assertThatThrownBy(() -> parameters(requests.create(BINDINGS, named)))
        .hasMessageEndingWith(
            "spec.paramRef: Forbidden: unable to get policy p to determine minimum required"
                + " permissions and user &{jane  [system:authenticated] map[]} does not have"
                + " \"get\" permission for all groups, versions and resources");
    cluster.put(
        "/validatingadmissionpolicies", json(policy("{'apiVersion':'x.io/v1','kind':'X'}")));
    assertThatThrownBy(() -> parameters(requests.create(BINDINGS, named)))
        .hasMessageContaining("unable to resolve paramKind &{x.io/v1 X} to determine");
    cluster.put(
        "/validatingadmissionpolicies", json(policy("{'apiVersion':'v1','kind':'ConfigMap'}")));
    assertThatThrownBy(() -> parameters(requests.create(BINDINGS, named)))
        .hasMessageEndingWith(
            "user &{jane  [system:authenticated] map[]} does not have \"get\" permission on the"
                + " object referenced by paramRef");
    allowed.add("list /v1 configmaps :");
    assertThatCode(() -> parameters(requests.create(BINDINGS, json(binding("{'selector':{}}")))))
        .doesNotThrowAnyException();
    assertThat(asked)
        .containsExactly(
            "get */* * a:n",
            "get x.io/v1 * a:n",
            "get /v1 configmaps a:n",
            "list /v1 configmaps :");
  }

  @Test
  void mutatingBindingsAreHeldToTheSame() {
    cluster.put(
        "/mutatingadmissionpolicies", json(policy("{'apiVersion':'v1','kind':'ConfigMap'}")));
    assertThatThrownBy(
            () -> parameters(requests.create(MUTATING_BINDINGS, json(binding("{'name':'n'}")))))
        .hasMessageContaining("spec.paramRef: Forbidden: user get does not have");
  }

  private static String claim(String status) {
    return "{'metadata':{'name':'c','namespace':'a'},'status':" + status + "}";
  }

  private AdmissionRequest statusUpdate(String before, String now) {
    return requests.request(
        AdmissionOperation.UPDATE, CLAIMS, "status", json(claim(now)), json(claim(before)));
  }

  @Test
  void devicesAreGivenAwayByWhoMayBind() {
    assertThatThrownBy(() -> status(statusUpdate("{}", "{'allocation':{}, 'reservedFor':[{}]}")))
        .hasMessage(
            "ResourceClaim.resource.k8s.io \"c\" is invalid: status.allocation: Forbidden: changing"
                + " status.allocation or status.reservedFor requires"
                + " resource=\"resourceclaims/binding\", verb=\"update\" permission:"
                + " resourceclaims.resource.k8s.io is forbidden: User \"jane\" cannot update"
                + " resource \"resourceclaims/binding\" in API group \"resource.k8s.io\" at the"
                + " cluster scope");
    allowed.add("update resource.k8s.io/v1 resourceclaims/binding :");
    assertThatCode(() -> status(statusUpdate("{}", "{'allocation':{},'reservedFor':[{}]}")))
        .doesNotThrowAnyException();
  }

  @Test
  void driversSpeakForTheirOwnDevices() {
    var before = "{'allocation':{},'devices':[{'driver':'a','device':'1'},{'driver':'b'}]}";
    var now = "{'allocation':{},'devices':[{'driver':'a','device':'2'},{'driver':'b'}]}";
    assertThatThrownBy(() -> status(statusUpdate(before, now)))
        .hasMessageContaining(
            "status.devices: Forbidden: changing status.devices requires"
                + " resource=\"resourceclaims/driver\", verb=\"[arbitrary-node:update]\""
                + " permission: resourceclaims.resource.k8s.io \"a\" is forbidden: User \"jane\""
                + " cannot arbitrary-node:update resource \"resourceclaims/driver\" in API group"
                + " \"resource.k8s.io\" in the namespace \"a\"");
    assertThat(asked)
        .containsExactly("arbitrary-node:update resource.k8s.io/v1 resourceclaims/driver a:a");
    status(statusUpdate(before, before));
    assertThat(asked).hasSize(1);
  }

  @Test
  void aDriverOnTheNodeOfTheDevicesNeedsLess() {
    var selector =
        "{'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',"
            + "'operator':'In','values':['n']}]}]}}";
    var before = "{'allocation':" + selector + "}";
    var now = "{'allocation':" + selector + ",'devices':[{'driver':'a'}]}";
    requests.by(
        new User(
            "system:serviceaccount:x:y",
            "",
            List.of(),
            Map.of("authentication.kubernetes.io/node-name", List.of("n"))));
    allowed.add("associated-node:update resource.k8s.io/v1 resourceclaims/driver a:a");
    assertThatCode(() -> status(statusUpdate(before, now))).doesNotThrowAnyException();
    assertThatThrownBy(
            () ->
                status(
                    statusUpdate(
                        "{'allocation':{}}", "{'allocation':{},'devices':[{'driver':'a'}]}")))
        .hasMessageContaining("verb=\"[arbitrary-node:update]\"");
  }
}
