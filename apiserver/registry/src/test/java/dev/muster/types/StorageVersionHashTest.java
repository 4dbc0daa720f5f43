package dev.muster.types;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.model.GroupVersion;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Discovery's hashes of storage versions are those that kube-apiserver 1.36 answers. */
class StorageVersionHashTest {
  @ParameterizedTest
  @CsvSource({
    "admissionregistration.k8s.io/v1,mutatingadmissionpolicies,LYmCf+UMVdg=",
    "admissionregistration.k8s.io/v1,mutatingadmissionpolicybindings,90V5FRZZ3Zg=",
    "admissionregistration.k8s.io/v1,mutatingwebhookconfigurations,Sqi0GUgDaX0=",
    "admissionregistration.k8s.io/v1,validatingadmissionpolicies,6OxvlMmQ6is=",
    "admissionregistration.k8s.io/v1,validatingadmissionpolicybindings,v9715VZqakg=",
    "admissionregistration.k8s.io/v1,validatingwebhookconfigurations,B0wHjQmsGNk=",
    "apiextensions.k8s.io/v1,customresourcedefinitions,jfWCUB31mvA=",
    "apiregistration.k8s.io/v1,apiservices,InPBPD7+PqM=",
    "apps/v1,controllerrevisions,85nkx63pcBU=",
    "apps/v1,daemonsets,dd7pWHUlMKQ=",
    "apps/v1,deployments,8aSe+NMegvE=",
    "apps/v1,replicasets,P1RzHs8/mWQ=",
    "apps/v1,statefulsets,H+vl74LkKdo=",
    "autoscaling/v1,horizontalpodautoscalers,qwQve8ut294=",
    "autoscaling/v2,horizontalpodautoscalers,qwQve8ut294=",
    "certificates.k8s.io/v1,certificatesigningrequests,95fRKMXA+00=",
    "coordination.k8s.io/v1,leases,gqkMMb/YqFM=",
    "events.k8s.io/v1,events,r2yiGXH7wu8=",
    "flowcontrol.apiserver.k8s.io/v1,flowschemas,GJVAJZSZBIw=",
    "flowcontrol.apiserver.k8s.io/v1,prioritylevelconfigurations,Kir5PVfvNeI=",
    "networking.k8s.io/v1,ingressclasses,l/iqIbDgFyQ=",
    "networking.k8s.io/v1,ingresses,39NQlfNR+bo=",
    "networking.k8s.io/v1,ipaddresses,3f/plJFChNE=",
    "networking.k8s.io/v1,networkpolicies,YpfwF18m1G8=",
    "networking.k8s.io/v1,servicecidrs,gNLvruQhW2g=",
    "policy/v1,poddisruptionbudgets,EVWiDmWqyJw=",
    "rbac.authorization.k8s.io/v1,clusterrolebindings,48tpQ8gZHFc=",
    "rbac.authorization.k8s.io/v1,clusterroles,bYE5ZWDrJ44=",
    "rbac.authorization.k8s.io/v1,rolebindings,eGsCzGH6b1g=",
    "rbac.authorization.k8s.io/v1,roles,7FuwZcIIItM=",
    "resource.k8s.io/v1,deviceclasses,Yk2PTc1Ybxk=",
    "resource.k8s.io/v1,resourceclaims,wgAZaHcZxUg=",
    "resource.k8s.io/v1,resourceclaimtemplates,TuzjC49aUfM=",
    "resource.k8s.io/v1,resourceslices,KsC072WgaEY=",
    "scheduling.k8s.io/v1,priorityclasses,1QwjyaZjj3Y=",
    "storage.k8s.io/v1,csidrivers,hL6j/rwBV5w=",
    "storage.k8s.io/v1,csinodes,Pe62DkZtjuo=",
    "storage.k8s.io/v1,csistoragecapacities,xeVl+2Ly1kE=",
    "storage.k8s.io/v1,storageclasses,K+m6uJwbjGY=",
    "storage.k8s.io/v1,volumeattachments,tJx/ezt6UDU=",
    "storage.k8s.io/v1,volumeattributesclasses,tIjydgKBC5w=",
    "v1,configmaps,qFsyl6wFWjQ=",
    "v1,endpoints,fWeeMqaN/OA=",
    "v1,events,r2yiGXH7wu8=",
    "v1,limitranges,EBKMFVe6cwo=",
    "v1,namespaces,Q3oi5N2YM8M=",
    "v1,nodes,XwShjMxG9Fs=",
    "v1,persistentvolumeclaims,QWTyNDq0dC4=",
    "v1,persistentvolumes,HN/zwEC+JgM=",
    "v1,pods,xPOwRZ+Yhw8=",
    "v1,podtemplates,LIXB2x4IFpk=",
    "v1,replicationcontrollers,Jond2If31h0=",
    "v1,resourcequotas,8uhSgffRX6w=",
    "v1,secrets,S6u1pOWzb84=",
    "v1,serviceaccounts,pbx9ZvyFpBE=",
    "v1,services,0/CO1lhkEBI="
  })
  void isWhatKubernetesSays(String groupVersion, String plural, String hash) {
    var version = GroupVersion.parse(groupVersion);
    var type = requireNonNull(BuiltIns.TYPES.find(version.group(), version.version(), plural));
    assertThat(type.storageVersionHash()).isEqualTo(hash);
  }
}
