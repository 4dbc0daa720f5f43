package dev.muster.it.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.it.KubectlTest;
import dev.muster.testing.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Every {@code kubectl create} of something, {@code run}, {@code expose} and {@code autoscale}. */
class GeneratorsTest extends KubectlTests {
  @KubectlTest
  void createsConfigurationAndSecrets(Path program) throws IOException {
    var kubectl = session(program);
    assertThat(kubectl.run("create", "configmap", "c", "--from-literal=a=1"))
        .isEqualTo("configmap/c created\n");
    assertThat(kubectl.stored("configmap/c", "{.data}")).isEqualTo("{\"a\":\"1\"}");
    assertThat(kubectl.run("create", "secret", "generic", "s", "--from-literal=p=x"))
        .isEqualTo("secret/s created\n");
    assertThat(kubectl.stored("secret/s", "{.type} {.data.p}")).isEqualTo("Opaque eA==");
    assertThat(
            kubectl.run(
                "create",
                "secret",
                "docker-registry",
                "r",
                "--docker-server=example.com",
                "--docker-username=u",
                "--docker-password=p"))
        .isEqualTo("secret/r created\n");
    assertThat(kubectl.stored("secret/r", "{.type}")).isEqualTo("kubernetes.io/dockerconfigjson");
    var certificates = Files.createDirectory(folder.resolve(kubectl.namespace()));
    var pair = new TestCertificates(certificates).issue("example.com");
    assertThat(
            kubectl.run(
                "create",
                "secret",
                "tls",
                "t",
                "--cert=" + pair.certificate(),
                "--key=" + pair.key()))
        .isEqualTo("secret/t created\n");
    assertThat(kubectl.stored("secret/t", "{.type}")).isEqualTo("kubernetes.io/tls");
    assertThat(kubectl.fail("create", "configmap", "c"))
        .contains("configmaps \"c\" already exists");
  }

  @KubectlTest
  void createsAccountsAndRoles(Path program) {
    var kubectl = session(program);
    var unique = kubectl.namespace();
    assertThat(kubectl.run("create", "serviceaccount", "robot"))
        .isEqualTo("serviceaccount/robot created\n");
    assertThat(
            kubectl.run(
                "create", "role", "r", "--verb=get,list", "--resource=pods,deployments.apps"))
        .isEqualTo("role.rbac.authorization.k8s.io/r created\n");
    assertThat(kubectl.stored("role/r", "{.rules[*].resources[*]}")).isEqualTo("pods deployments");
    assertThat(
            kubectl.run(
                "create", "rolebinding", "b", "--role=r", "--serviceaccount=" + unique + ":robot"))
        .isEqualTo("rolebinding.rbac.authorization.k8s.io/b created\n");
    assertThat(kubectl.run("create", "clusterrole", unique, "--verb=get", "--resource=nodes"))
        .isEqualTo("clusterrole.rbac.authorization.k8s.io/" + unique + " created\n");
    assertThat(
            kubectl.run(
                "create", "clusterrolebinding", unique, "--clusterrole=" + unique, "--user=u"))
        .isEqualTo("clusterrolebinding.rbac.authorization.k8s.io/" + unique + " created\n");
    var robot = "--as=system:serviceaccount:" + unique + ":robot";
    assertThat(kubectl.run("auth", "can-i", "list", "pods", robot)).isEqualTo("yes\n");
    assertThat(kubectl.fail("auth", "can-i", "delete", "pods", robot)).startsWith("no");
    assertThat(kubectl.run("set", "subject", "rolebinding", "b", "--user=jane"))
        .isEqualTo("rolebinding.rbac.authorization.k8s.io/b subjects updated\n");
    assertThat(kubectl.stored("rolebinding/b", "{.subjects[*].name}")).isEqualTo("robot jane");
  }

  @KubectlTest
  void createsWorkloads(Path program) {
    var kubectl = session(program);
    assertThat(
            kubectl.run(
                "create", "deployment", "d", "--image=nginx:1", "--replicas=2", "--port=80"))
        .isEqualTo("deployment.apps/d created\n");
    assertThat(
            kubectl.stored(
                "deployment/d",
                "{.spec.replicas} {.spec.template.spec.containers[0].ports[0].containerPort}"))
        .isEqualTo("2 80");
    assertThat(kubectl.run("create", "job", "j", "--image=busybox", "--", "date"))
        .isEqualTo("job.batch/j created\n");
    assertThat(kubectl.run("run", "p", "--image=nginx:1", "--labels=a=b", "--port=80"))
        .isEqualTo("pod/p created\n");
    assertThat(kubectl.stored("pod/p", "{.metadata.labels.a} {.status.phase}"))
        .isEqualTo("b Pending");
    assertThat(
            kubectl.run("autoscale", "deployment", "d", "--min=1", "--max=3", "--cpu-percent=50"))
        .isEqualTo("horizontalpodautoscaler.autoscaling/d autoscaled\n");
    assertThat(
            kubectl.stored(
                "horizontalpodautoscaler/d",
                "{.spec.maxReplicas} {.spec.metrics[0].resource.target.averageUtilization}"))
        .isEqualTo("3 50");
    assertThat(kubectl.run("create", "quota", "q", "--hard=cpu=10,pods=50"))
        .isEqualTo("resourcequota/q created\n");
    assertThat(kubectl.run("create", "priorityclass", kubectl.namespace(), "--value=5"))
        .isEqualTo("priorityclass.scheduling.k8s.io/" + kubectl.namespace() + " created\n");
  }

  /** Older versions only know a beta that is no more. */
  @KubectlTest(from = "1.21")
  void createsCronJobsAndBudgets(Path program) {
    var kubectl = session(program);
    assertThat(
            kubectl.run(
                "create", "poddisruptionbudget", "d", "--selector=app=d", "--min-available=1"))
        .isEqualTo("poddisruptionbudget.policy/d created\n");
    assertThat(
            kubectl.run(
                "create",
                "cronjob",
                "c",
                "--image=busybox",
                "--schedule=*/5 * * * *",
                "--",
                "date"))
        .isEqualTo("cronjob.batch/c created\n");
    assertThat(kubectl.run("create", "job", "k", "--from=cronjob/c"))
        .isEqualTo("job.batch/k created\n");
    assertThat(kubectl.stored("job/k", "{.metadata.ownerReferences[0].name}")).isEqualTo("c");
  }

  @KubectlTest
  void createsServicesAndIngresses(Path program) {
    var kubectl = session(program);
    assertThat(kubectl.run("create", "service", "clusterip", "a", "--tcp=80:8080"))
        .isEqualTo("service/a created\n");
    assertThat(kubectl.stored("service/a", "{.spec.ports[0].targetPort}")).isEqualTo("8080");
    assertThat(kubectl.run("create", "service", "nodeport", "b", "--tcp=80"))
        .isEqualTo("service/b created\n");
    assertThat(kubectl.stored("service/b", "{.spec.ports[0].nodePort}")).matches("3[0-2]\\d{3}");
    kubectl.run("create", "service", "loadbalancer", "c", "--tcp=80");
    kubectl.run("create", "service", "externalname", "d", "--external-name=example.com");
    assertThat(kubectl.run("get", "services", "c", "d", "--no-headers").lines())
        .satisfiesExactly(
            line -> assertThat(line).matches("c +LoadBalancer +\\S+ +<pending> +80:\\d+/TCP +\\S+"),
            line -> assertThat(line).matches("d +ExternalName +<none> +example.com +<none> +\\S+"));
    kubectl.run("create", "deployment", "web", "--image=nginx");
    assertThat(kubectl.run("expose", "deployment", "web", "--port=80", "--target-port=http"))
        .isEqualTo("service/web exposed\n");
    assertThat(kubectl.stored("service/web", "{.spec.selector.app}")).isEqualTo("web");
    assertThat(
            kubectl.run(
                "create", "ingress", "i", "--class=x", "--rule=foo.com/bar*=a:80,tls=secret"))
        .isEqualTo("ingress.networking.k8s.io/i created\n");
    assertThat(
            kubectl.stored(
                "ingress/i", "{.spec.rules[0].http.paths[0].pathType} {.spec.tls[0].secretName}"))
        .isEqualTo("Prefix secret");
  }
}
