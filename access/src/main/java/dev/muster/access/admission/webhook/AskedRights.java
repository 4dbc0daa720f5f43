package dev.muster.access.admission.webhook;

import dev.muster.access.Attributes;
import dev.muster.access.Authorizer;
import dev.muster.cel.value.Authorization;
import dev.muster.model.User;
import dev.muster.registry.admission.AdmissionRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the conditions of webhooks learn about the rights of who sends a request. */
final class AskedRights {
  private AskedRights() {}

  /** The variable {@code authorizer}. */
  static Authorization.Authorizer authorizer(Authorizer authorizer, User user) {
    return new Authorization.Authorizer(question -> decided(authorizer, user, question), null);
  }

  /** The variable {@code authorizer.requestResource}. */
  static Authorization.ResourceCheck requested(
      Authorizer authorizer, AdmissionRequest request, String namespace) {
    var resource = request.resource();
    return new Authorization.ResourceCheck(
        authorizer(authorizer, request.user()),
        resource.group(),
        resource.resource(),
        request.subresource(),
        namespace,
        request.name());
  }

  private static Authorization.Decision decided(
      Authorizer authorizer, User sender, Authorization.Question question) {
    var user = user(sender, question.account());
    var decision =
        authorizer.authorize(
            question.path().isEmpty()
                ? Attributes.resource(
                    user,
                    question.verb(),
                    question.group(),
                    "*",
                    question.resource(),
                    question.subresource(),
                    question.namespace(),
                    question.name())
                : Attributes.path(user, question.verb(), question.path()));
    return new Authorization.Decision(decision.allowed(), decision.reason(), decision.error());
  }

  private static User user(User sender, Authorization.@Nullable ServiceAccount account) {
    return account == null
        ? sender
        : new User(
            User.SERVICE_ACCOUNT_PREFIX + account.namespace() + ":" + account.name(),
            "",
            List.of(
                "system:serviceaccounts",
                "system:serviceaccounts:" + account.namespace(),
                User.ALL_AUTHENTICATED),
            Map.of());
  }
}
