// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_kube_schema from the OpenAPI of Kubernetes 1.37.2: do not edit.
// size: a table
#include "sandbox/kube/object_schema.h"

#include <algorithm>
#include <array>

namespace ferryman::sandbox {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 304> table{{
    // clang-format off
    {"AWSElasticBlockStoreVolumeSource",
     "fsType:s partition:i readOnly:b volumeID:s"},
    {"Affinity",
     "nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAntiAffinity"},
    {"AppArmorProfile",
     "localhostProfile:s type:s"},
    {"AttachedVolume",
     "devicePath:s name:s"},
    {"AzureDiskVolumeSource",
     "cachingMode:s diskName:s diskURI:s fsType:s kind:s readOnly:b"},
    {"AzureFilePersistentVolumeSource",
     "readOnly:b secretName:s secretNamespace:s shareName:s"},
    {"AzureFileVolumeSource",
     "readOnly:b secretName:s shareName:s"},
    {"CSIPersistentVolumeSource",
     "controllerExpandSecretRef:SecretReference controllerPublishSecretRef:SecretReference driver:s "
     "fsType:s nodeExpandSecretRef:SecretReference nodePublishSecretRef:SecretReference "
     "nodeStageSecretRef:SecretReference readOnly:b volumeAttributes:{s volumeHandle:s"},
    {"CSIVolumeSource",
     "driver:s fsType:s nodePublishSecretRef:LocalObjectReference readOnly:b volumeAttributes:{s"},
    {"Capabilities",
     "add:[s drop:[s"},
    {"CephFSPersistentVolumeSource",
     "monitors:[s path:s readOnly:b secretFile:s secretRef:SecretReference user:s"},
    {"CephFSVolumeSource",
     "monitors:[s path:s readOnly:b secretFile:s secretRef:LocalObjectReference user:s"},
    {"CinderPersistentVolumeSource",
     "fsType:s readOnly:b secretRef:SecretReference volumeID:s"},
    {"CinderVolumeSource",
     "fsType:s readOnly:b secretRef:LocalObjectReference volumeID:s"},
    {"ClientIPConfig",
     "timeoutSeconds:i"},
    {"ClusterTrustBundleProjection",
     "labelSelector:LabelSelector name:s optional:b path:s signerName:s user:l"},
    {"Condition",
     "lastTransitionTime:s message:s observedGeneration:l reason:s status:s type:s"},
    {"ConfigMap",
     "apiVersion:s binaryData:{s data:{s immutable:b kind:s metadata:ObjectMeta"},
    {"ConfigMapEnvSource",
     "name:s optional:b"},
    {"ConfigMapKeySelector",
     "# key:s name:s optional:b"},
    {"ConfigMapNodeConfigSource",
     "kubeletConfigKey:s name:s namespace:s resourceVersion:s uid:s"},
    {"ConfigMapProjection",
     "items:[KeyToPath name:s optional:b"},
    {"ConfigMapVolumeSource",
     "defaultMode:i defaultUser:l items:[KeyToPath name:s optional:b"},
    {"Container",
     "args:[s command:[s env:[EnvVar!name~ envFrom:[EnvFromSource image:s imagePullPolicy:s "
     "lifecycle:Lifecycle livenessProbe:Probe name:s ports:[ContainerPort!containerPort,protocol~ "
     "readinessProbe:Probe resizePolicy:[ContainerResizePolicy resources:ResourceRequirements "
     "restartPolicy:s restartPolicyRules:[ContainerRestartRule securityContext:SecurityContext "
     "startupProbe:Probe stdin:b stdinOnce:b terminationMessagePath:s terminationMessagePolicy:s tty:b "
     "volumeDevices:[VolumeDevice!devicePath~ volumeMounts:[VolumeMount!mountPath~ workingDir:s"},
    {"ContainerExtendedResourceRequest",
     "containerName:s requestName:s resourceName:s"},
    {"ContainerImage",
     "names:[s sizeBytes:l"},
    {"ContainerPort",
     "containerPort:i hostIP:s hostPort:i name:s protocol:s"},
    {"ContainerResizePolicy",
     "resourceName:s restartPolicy:s"},
    {"ContainerRestartRule",
     "action:s exitCodes:ContainerRestartRuleOnExitCodes"},
    {"ContainerRestartRuleOnExitCodes",
     "operator:s values:[i%"},
    {"ContainerState",
     "running:ContainerStateRunning terminated:ContainerStateTerminated waiting:ContainerStateWaiting"},
    {"ContainerStateRunning",
     "startedAt:s"},
    {"ContainerStateTerminated",
     "containerID:s exitCode:i finishedAt:s message:s reason:s signal:i startedAt:s"},
    {"ContainerStateWaiting",
     "message:s reason:s"},
    {"ContainerStatus",
     "allocatedResources:{q allocatedResourcesStatus:[ResourceStatus!name~ containerID:s image:s "
     "imageID:s lastState:ContainerState name:s ready:b resources:ResourceRequirements restartCount:i "
     "started:b state:ContainerState stopSignal:s user:ContainerUser "
     "volumeMounts:[VolumeMountStatus!mountPath~"},
    {"ContainerUser",
     "linux:LinuxContainerUser"},
    {"DaemonEndpoint",
     "Port:i"},
    {"DeleteOptions",
     "apiVersion:s dryRun:[s gracePeriodSeconds:l ignoreStoreReadErrorWithClusterBreakingPotential:b "
     "kind:s orphanDependents:b preconditions:Preconditions propagationPolicy:s"},
    {"DownwardAPIProjection",
     "items:[DownwardAPIVolumeFile"},
    {"DownwardAPIVolumeFile",
     "fieldRef:ObjectFieldSelector mode:i path:s resourceFieldRef:ResourceFieldSelector user:l"},
    {"DownwardAPIVolumeSource",
     "defaultMode:i defaultUser:l items:[DownwardAPIVolumeFile"},
    {"EmptyDirVolumeSource",
     "medium:s mode:i sizeLimit:q"},
    {"EndpointAddress",
     "# hostname:s ip:s nodeName:s targetRef:ObjectReference"},
    {"EndpointPort",
     "# appProtocol:s name:s port:i protocol:s"},
    {"EndpointSubset",
     "addresses:[EndpointAddress notReadyAddresses:[EndpointAddress ports:[EndpointPort"},
    {"Endpoints",
     "apiVersion:s kind:s metadata:ObjectMeta subsets:[EndpointSubset"},
    {"EnvFromSource",
     "configMapRef:ConfigMapEnvSource prefix:s secretRef:SecretEnvSource"},
    {"EnvVar",
     "name:s value:s valueFrom:EnvVarSource"},
    {"EnvVarSource",
     "configMapKeyRef:ConfigMapKeySelector fieldRef:ObjectFieldSelector fileKeyRef:FileKeySelector "
     "resourceFieldRef:ResourceFieldSelector secretKeyRef:SecretKeySelector"},
    {"EphemeralContainer",
     "args:[s command:[s env:[EnvVar!name~ envFrom:[EnvFromSource image:s imagePullPolicy:s "
     "lifecycle:Lifecycle livenessProbe:Probe name:s ports:[ContainerPort!containerPort,protocol~ "
     "readinessProbe:Probe resizePolicy:[ContainerResizePolicy resources:ResourceRequirements "
     "restartPolicy:s restartPolicyRules:[ContainerRestartRule securityContext:SecurityContext "
     "startupProbe:Probe stdin:b stdinOnce:b targetContainerName:s terminationMessagePath:s "
     "terminationMessagePolicy:s tty:b volumeDevices:[VolumeDevice!devicePath~ "
     "volumeMounts:[VolumeMount!mountPath~ workingDir:s"},
    {"EphemeralVolumeSource",
     "volumeClaimTemplate:PersistentVolumeClaimTemplate"},
    {"Event",
     "action:s apiVersion:s count:i eventTime:s firstTimestamp:s involvedObject:ObjectReference kind:s "
     "lastTimestamp:s message:s metadata:ObjectMeta reason:s related:ObjectReference "
     "reportingComponent:s reportingInstance:s series:EventSeries source:EventSource type:s"},
    {"EventSeries",
     "count:i lastObservedTime:s"},
    {"EventSource",
     "component:s host:s"},
    {"EvictionResponder",
     "# name:s priority:i"},
    {"ExecAction",
     "command:[s"},
    {"FCVolumeSource",
     "fsType:s lun:i readOnly:b targetWWNs:[s wwids:[s"},
    {"FieldSelectorRequirement",
     "key:s operator:s values:[s"},
    {"FileKeySelector",
     "# key:s optional:b path:s volumeName:s"},
    {"FlexPersistentVolumeSource",
     "driver:s fsType:s options:{s readOnly:b secretRef:SecretReference"},
    {"FlexVolumeSource",
     "driver:s fsType:s options:{s readOnly:b secretRef:LocalObjectReference"},
    {"FlockerVolumeSource",
     "datasetName:s datasetUUID:s"},
    {"GCEPersistentDiskVolumeSource",
     "fsType:s partition:i pdName:s readOnly:b"},
    {"GRPCAction",
     "mode:s port:i service:s"},
    {"GitRepoVolumeSource",
     "directory:s repository:s revision:s"},
    {"GlusterfsPersistentVolumeSource",
     "endpoints:s endpointsNamespace:s path:s readOnly:b"},
    {"GlusterfsVolumeSource",
     "endpoints:s path:s readOnly:b"},
    {"HTTPGetAction",
     "host:s httpHeaders:[HTTPHeader path:s port:q protocol:s scheme:s"},
    {"HTTPHeader",
     "name:s value:s"},
    {"HostAlias",
     "hostnames:[s ip:s"},
    {"HostIP",
     "ip:s"},
    {"HostPathVolumeSource",
     "path:s type:s"},
    {"ISCSIPersistentVolumeSource",
     "chapAuthDiscovery:b chapAuthSession:b fsType:s initiatorName:s iqn:s iscsiInterface:s lun:i "
     "portals:[s readOnly:b secretRef:SecretReference targetPortal:s"},
    {"ISCSIVolumeSource",
     "chapAuthDiscovery:b chapAuthSession:b fsType:s initiatorName:s iqn:s iscsiInterface:s lun:i "
     "portals:[s readOnly:b secretRef:LocalObjectReference targetPortal:s"},
    {"ImageVolumeSource",
     "pullPolicy:s reference:s"},
    {"ImageVolumeStatus",
     "imageRef:s"},
    {"KeyToPath",
     "key:s mode:i path:s user:l"},
    {"LabelSelector",
     "# matchExpressions:[LabelSelectorRequirement matchLabels:{s"},
    {"LabelSelectorRequirement",
     "key:s operator:s values:[s"},
    {"Lifecycle",
     "postStart:LifecycleHandler preStop:LifecycleHandler stopSignal:s"},
    {"LifecycleHandler",
     "exec:ExecAction httpGet:HTTPGetAction sleep:SleepAction tcpSocket:TCPSocketAction"},
    {"LinuxContainerUser",
     "gid:l supplementalGroups:[l uid:l"},
    {"LoadBalancerIngress",
     "hostname:s ip:s ipMode:s ports:[PortStatus"},
    {"LoadBalancerStatus",
     "ingress:[LoadBalancerIngress"},
    {"LocalObjectReference",
     "# name:s"},
    {"LocalVolumeSource",
     "fsType:s path:s"},
    {"ManagedFieldsEntry",
     "apiVersion:s fieldsType:s fieldsV1:o manager:s operation:s subresource:s time:s"},
    {"ModifyVolumeStatus",
     "status:s targetVolumeAttributesClassName:s"},
    {"NFSVolumeSource",
     "path:s readOnly:b server:s"},
    {"Namespace",
     "apiVersion:s kind:s metadata:ObjectMeta spec:NamespaceSpec status:NamespaceStatus"},
    {"NamespaceCondition",
     "lastTransitionTime:s message:s reason:s status:s type:s"},
    {"NamespaceSpec",
     "finalizers:[s"},
    {"NamespaceStatus",
     "conditions:[NamespaceCondition!type~ phase:s"},
    {"Node",
     "apiVersion:s kind:s metadata:ObjectMeta spec:NodeSpec status:NodeStatus"},
    {"NodeAddress",
     "address:s type:s"},
    {"NodeAffinity",
     "preferredDuringSchedulingIgnoredDuringExecution:[PreferredSchedulingTerm "
     "requiredDuringSchedulingIgnoredDuringExecution:NodeSelector"},
    {"NodeAllocatableMappedResources",
     "name:s quantity:q"},
    {"NodeAllocatableOverheadResources",
     "name:s perContainer:q perPod:q"},
    {"NodeAllocatableResourceClaimStatus",
     "containers:[s% mapping:[NodeAllocatableMappedResources!name~ "
     "overhead:[NodeAllocatableOverheadResources!name~ resourceClaimName:s"},
    {"NodeCondition",
     "lastHeartbeatTime:s lastTransitionTime:s message:s reason:s status:s type:s"},
    {"NodeConfigSource",
     "configMap:ConfigMapNodeConfigSource"},
    {"NodeConfigStatus",
     "active:NodeConfigSource assigned:NodeConfigSource error:s lastKnownGood:NodeConfigSource"},
    {"NodeDaemonEndpoints",
     "kubeletEndpoint:DaemonEndpoint"},
    {"NodeFeatures",
     "supplementalGroupsPolicy:b"},
    {"NodePodPreemptionPolicy",
     "disableResizePreemption:[s%"},
    {"NodeRuntimeHandler",
     "features:NodeRuntimeHandlerFeatures name:s"},
    {"NodeRuntimeHandlerFeatures",
     "recursiveReadOnlyMounts:b userNamespaces:b"},
    {"NodeSelector",
     "# nodeSelectorTerms:[NodeSelectorTerm"},
    {"NodeSelectorRequirement",
     "key:s operator:s values:[s"},
    {"NodeSelectorTerm",
     "# matchExpressions:[NodeSelectorRequirement matchFields:[NodeSelectorRequirement"},
    {"NodeSpec",
     "configSource:NodeConfigSource externalID:s podCIDR:s podCIDRs:[s%~ "
     "podPreemptionPolicy:NodePodPreemptionPolicy providerID:s taints:[Taint unschedulable:b"},
    {"NodeStatus",
     "addresses:[NodeAddress!type~ allocatable:{q capacity:{q conditions:[NodeCondition!type~ "
     "config:NodeConfigStatus daemonEndpoints:NodeDaemonEndpoints declaredFeatures:[s "
     "features:NodeFeatures images:[ContainerImage nodeInfo:NodeSystemInfo phase:s "
     "runtimeHandlers:[NodeRuntimeHandler volumesAttached:[AttachedVolume volumesInUse:[s"},
    {"NodeSwapStatus",
     "capacity:l"},
    {"NodeSystemInfo",
     "architecture:s bootID:s containerRuntimeVersion:s kernelVersion:s kubeProxyVersion:s "
     "kubeletVersion:s machineID:s operatingSystem:s osImage:s runningInUserNamespace:b "
     "swap:NodeSwapStatus systemUUID:s"},
    {"ObjectFieldSelector",
     "# apiVersion:s fieldPath:s"},
    {"ObjectMeta",
     "annotations:{s creationTimestamp:s deletionGracePeriodSeconds:l deletionTimestamp:s "
     "finalizers:[s%~ generateName:s generation:l labels:{s managedFields:[ManagedFieldsEntry name:s "
     "namespace:s ownerReferences:[OwnerReference!uid~ resourceVersion:s selfLink:s uid:s"},
    {"ObjectReference",
     "# apiVersion:s fieldPath:s kind:s name:s namespace:s resourceVersion:s uid:s"},
    {"OwnerReference",
     "# apiVersion:s blockOwnerDeletion:b controller:b kind:s name:s uid:s"},
    {"PersistentVolume",
     "apiVersion:s kind:s metadata:ObjectMeta spec:PersistentVolumeSpec status:PersistentVolumeStatus"},
    {"PersistentVolumeClaim",
     "apiVersion:s kind:s metadata:ObjectMeta spec:PersistentVolumeClaimSpec "
     "status:PersistentVolumeClaimStatus"},
    {"PersistentVolumeClaimCondition",
     "lastProbeTime:s lastTransitionTime:s message:s reason:s status:s type:s"},
    {"PersistentVolumeClaimSpec",
     "accessModes:[s dataSource:TypedLocalObjectReference dataSourceRef:TypedObjectReference "
     "resources:VolumeResourceRequirements selector:LabelSelector storageClassName:s "
     "volumeAttributesClassName:s volumeMode:s volumeName:s"},
    {"PersistentVolumeClaimStatus",
     "accessModes:[s allocatedResourceStatuses:{s allocatedResources:{q capacity:{q "
     "conditions:[PersistentVolumeClaimCondition!type~ currentVolumeAttributesClassName:s "
     "healthStatus:VolumeHealthStatus modifyVolumeStatus:ModifyVolumeStatus phase:s"},
    {"PersistentVolumeClaimTemplate",
     "metadata:ObjectMeta spec:PersistentVolumeClaimSpec"},
    {"PersistentVolumeClaimVolumeSource",
     "claimName:s readOnly:b"},
    {"PersistentVolumeSpec",
     "accessModes:[s awsElasticBlockStore:AWSElasticBlockStoreVolumeSource "
     "azureDisk:AzureDiskVolumeSource azureFile:AzureFilePersistentVolumeSource capacity:{q "
     "cephfs:CephFSPersistentVolumeSource cinder:CinderPersistentVolumeSource claimRef:ObjectReference "
     "csi:CSIPersistentVolumeSource fc:FCVolumeSource flexVolume:FlexPersistentVolumeSource "
     "flocker:FlockerVolumeSource gcePersistentDisk:GCEPersistentDiskVolumeSource "
     "glusterfs:GlusterfsPersistentVolumeSource hostPath:HostPathVolumeSource "
     "iscsi:ISCSIPersistentVolumeSource local:LocalVolumeSource mountOptions:[s nfs:NFSVolumeSource "
     "nodeAffinity:VolumeNodeAffinity persistentVolumeReclaimPolicy:s "
     "photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource "
     "quobyte:QuobyteVolumeSource rbd:RBDPersistentVolumeSource scaleIO:ScaleIOPersistentVolumeSource "
     "storageClassName:s storageos:StorageOSPersistentVolumeSource volumeAttributesClassName:s "
     "volumeMode:s vsphereVolume:VsphereVirtualDiskVolumeSource"},
    {"PersistentVolumeStatus",
     "lastPhaseTransitionTime:s message:s phase:s reason:s"},
    {"PhotonPersistentDiskVolumeSource",
     "fsType:s pdID:s"},
    {"Pod",
     "apiVersion:s kind:s metadata:ObjectMeta spec:PodSpec status:PodStatus"},
    {"PodAffinity",
     "preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm "
     "requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm"},
    {"PodAffinityTerm",
     "labelSelector:LabelSelector matchLabelKeys:[s mismatchLabelKeys:[s "
     "namespaceSelector:LabelSelector namespaces:[s topologyKey:s"},
    {"PodAntiAffinity",
     "preferredDuringSchedulingIgnoredDuringExecution:[WeightedPodAffinityTerm "
     "requiredDuringSchedulingIgnoredDuringExecution:[PodAffinityTerm"},
    {"PodCertificateProjection",
     "certificateChainPath:s credentialBundlePath:s keyPath:s keyType:s maxExpirationSeconds:i "
     "signerName:s user:l userAnnotations:{s"},
    {"PodCondition",
     "lastProbeTime:s lastTransitionTime:s message:s observedGeneration:l reason:s status:s type:s"},
    {"PodDNSConfig",
     "nameservers:[s options:[PodDNSConfigOption searches:[s"},
    {"PodDNSConfigOption",
     "name:s value:s"},
    {"PodExtendedResourceClaimStatus",
     "requestMappings:[ContainerExtendedResourceRequest resourceClaimName:s"},
    {"PodIP",
     "ip:s"},
    {"PodOS",
     "name:s"},
    {"PodReadinessGate",
     "conditionType:s"},
    {"PodResourceClaim",
     "name:s resourceClaimName:s resourceClaimTemplateName:s"},
    {"PodResourceClaimStatus",
     "name:s resourceClaimName:s"},
    {"PodSchedulingGate",
     "name:s"},
    {"PodSchedulingGroup",
     "podGroupName:s"},
    {"PodSecurityContext",
     "appArmorProfile:AppArmorProfile fsGroup:l fsGroupChangePolicy:s runAsGroup:l runAsNonRoot:b "
     "runAsUser:l seLinuxChangePolicy:s seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile "
     "supplementalGroups:[l supplementalGroupsPolicy:s sysctls:[Sysctl "
     "windowsOptions:WindowsSecurityContextOptions"},
    {"PodSpec",
     "activeDeadlineSeconds:l affinity:Affinity automountServiceAccountToken:b "
     "containers:[Container!name~ dnsConfig:PodDNSConfig dnsPolicy:s enableServiceLinks:b "
     "ephemeralContainers:[EphemeralContainer!name~ evictionResponders:[EvictionResponder!name~ "
     "hostAliases:[HostAlias!ip~ hostIPC:b hostNetwork:b hostPID:b hostUsers:b hostname:s "
     "hostnameOverride:s imagePullSecrets:[LocalObjectReference!name~ initContainers:[Container!name~ "
     "nodeName:s nodeSelector:{s os:PodOS overhead:{q preemptionPolicy:s priority:i "
     "priorityClassName:s readinessGates:[PodReadinessGate resourceClaims:[PodResourceClaim!name~ "
     "resources:ResourceRequirements restartPolicy:s runtimeClassName:s schedulerName:s "
     "schedulingGates:[PodSchedulingGate!name~ schedulingGroup:PodSchedulingGroup "
     "securityContext:PodSecurityContext serviceAccount:s serviceAccountName:s setHostnameAsFQDN:b "
     "shareProcessNamespace:b subdomain:s terminationGracePeriodSeconds:l tolerations:[Toleration "
     "topologySpreadConstraints:[TopologySpreadConstraint!topologyKey,whenUnsatisfiable~ "
     "volumes:[Volume!name~"},
    {"PodStatus",
     "allocatedResources:{q conditions:[PodCondition!type~ containerStatuses:[ContainerStatus "
     "ephemeralContainerStatuses:[ContainerStatus "
     "extendedResourceClaimStatus:PodExtendedResourceClaimStatus hostIP:s hostIPs:[HostIP~ip "
     "initContainerStatuses:[ContainerStatus message:s "
     "nodeAllocatableResourceClaimStatuses:[NodeAllocatableResourceClaimStatus!resourceClaimName~ "
     "nominatedNodeName:s observedGeneration:l phase:s podIP:s podIPs:[PodIP!ip~ qosClass:s reason:s "
     "resize:s resourceClaimStatuses:[PodResourceClaimStatus!name~ resources:ResourceRequirements "
     "startTime:s volumeHealth:[PodVolumeHealth!name"},
    {"PodTemplateSpec",
     "metadata:ObjectMeta spec:PodSpec"},
    {"PodVolumeHealth",
     "healthConditions:[VolumeHealthCondition!status,reason~ lastTransitionTime:s name:s"},
    {"PortStatus",
     "error:s port:i protocol:s"},
    {"PortworxVolumeSource",
     "fsType:s readOnly:b volumeID:s"},
    {"Preconditions",
     "resourceVersion:s uid:s"},
    {"PreferredSchedulingTerm",
     "preference:NodeSelectorTerm weight:i"},
    {"Probe",
     "exec:ExecAction failureThreshold:i grpc:GRPCAction httpGet:HTTPGetAction initialDelaySeconds:i "
     "periodSeconds:i successThreshold:i tcpSocket:TCPSocketAction terminationGracePeriodSeconds:l "
     "timeoutSeconds:i"},
    {"ProjectedVolumeSource",
     "defaultMode:i defaultUser:l sources:[VolumeProjection"},
    {"QuobyteVolumeSource",
     "group:s readOnly:b registry:s tenant:s user:s volume:s"},
    {"RBDPersistentVolumeSource",
     "fsType:s image:s keyring:s monitors:[s pool:s readOnly:b secretRef:SecretReference user:s"},
    {"RBDVolumeSource",
     "fsType:s image:s keyring:s monitors:[s pool:s readOnly:b secretRef:LocalObjectReference user:s"},
    {"ResourceClaim",
     "name:s request:s"},
    {"ResourceFieldSelector",
     "# containerName:s divisor:q resource:s"},
    {"ResourceHealth",
     "health:s message:s resourceID:s"},
    {"ResourceRequirements",
     "claims:[ResourceClaim!name limits:{q requests:{q"},
    {"ResourceStatus",
     "name:s resources:[ResourceHealth!resourceID"},
    {"SELinuxOptions",
     "level:s role:s type:s user:s"},
    {"ScaleIOPersistentVolumeSource",
     "fsType:s gateway:s protectionDomain:s readOnly:b secretRef:SecretReference sslEnabled:b "
     "storageMode:s storagePool:s system:s volumeName:s"},
    {"ScaleIOVolumeSource",
     "fsType:s gateway:s protectionDomain:s readOnly:b secretRef:LocalObjectReference sslEnabled:b "
     "storageMode:s storagePool:s system:s volumeName:s"},
    {"SeccompProfile",
     "localhostProfile:s type:s"},
    {"Secret",
     "apiVersion:s data:{s immutable:b kind:s metadata:ObjectMeta stringData:{s type:s"},
    {"SecretEnvSource",
     "name:s optional:b"},
    {"SecretKeySelector",
     "# key:s name:s optional:b"},
    {"SecretProjection",
     "items:[KeyToPath name:s optional:b"},
    {"SecretReference",
     "# name:s namespace:s"},
    {"SecretVolumeSource",
     "defaultMode:i defaultUser:l items:[KeyToPath optional:b secretName:s"},
    {"SecurityContext",
     "allowPrivilegeEscalation:b appArmorProfile:AppArmorProfile capabilities:Capabilities "
     "privileged:b procMount:s readOnlyRootFilesystem:b runAsGroup:l runAsNonRoot:b runAsUser:l "
     "seLinuxOptions:SELinuxOptions seccompProfile:SeccompProfile "
     "windowsOptions:WindowsSecurityContextOptions"},
    {"Service",
     "apiVersion:s kind:s metadata:ObjectMeta spec:ServiceSpec status:ServiceStatus"},
    {"ServiceAccount",
     "apiVersion:s automountServiceAccountToken:b imagePullSecrets:[LocalObjectReference kind:s "
     "metadata:ObjectMeta secrets:[ObjectReference!name~"},
    {"ServiceAccountTokenProjection",
     "audience:s expirationSeconds:l path:s user:l"},
    {"ServicePort",
     "appProtocol:s name:s nodePort:i port:i protocol:s targetPort:q"},
    {"ServiceSpec",
     "allocateLoadBalancerNodePorts:b clusterIP:s clusterIPs:[s externalIPs:[s externalName:s "
     "externalTrafficPolicy:s healthCheckNodePort:i internalTrafficPolicy:s ipFamilies:[s "
     "ipFamilyPolicy:s loadBalancerClass:s loadBalancerIP:s loadBalancerSourceRanges:[s "
     "ports:[ServicePort!port,protocol~ publishNotReadyAddresses:b selector:{s sessionAffinity:s "
     "sessionAffinityConfig:SessionAffinityConfig trafficDistribution:s type:s"},
    {"ServiceStatus",
     "conditions:[Condition!type~ loadBalancer:LoadBalancerStatus"},
    {"SessionAffinityConfig",
     "clientIP:ClientIPConfig"},
    {"SleepAction",
     "seconds:l"},
    {"StorageOSPersistentVolumeSource",
     "fsType:s readOnly:b secretRef:ObjectReference volumeName:s volumeNamespace:s"},
    {"StorageOSVolumeSource",
     "fsType:s readOnly:b secretRef:LocalObjectReference volumeName:s volumeNamespace:s"},
    {"Sysctl",
     "name:s value:s"},
    {"TCPSocketAction",
     "host:s port:q"},
    {"Taint",
     "effect:s key:s timeAdded:s value:s"},
    {"Toleration",
     "effect:s key:s operator:s tolerationSeconds:l value:s"},
    {"TopologySpreadConstraint",
     "labelSelector:LabelSelector matchLabelKeys:[s maxSkew:i minDomains:i nodeAffinityPolicy:s "
     "nodeTaintsPolicy:s topologyKey:s whenUnsatisfiable:s"},
    {"TypedLocalObjectReference",
     "# apiGroup:s kind:s name:s"},
    {"TypedObjectReference",
     "apiGroup:s kind:s name:s namespace:s"},
    {"Volume",
     "awsElasticBlockStore:AWSElasticBlockStoreVolumeSource azureDisk:AzureDiskVolumeSource "
     "azureFile:AzureFileVolumeSource cephfs:CephFSVolumeSource cinder:CinderVolumeSource "
     "configMap:ConfigMapVolumeSource csi:CSIVolumeSource downwardAPI:DownwardAPIVolumeSource "
     "emptyDir:EmptyDirVolumeSource ephemeral:EphemeralVolumeSource fc:FCVolumeSource "
     "flexVolume:FlexVolumeSource flocker:FlockerVolumeSource "
     "gcePersistentDisk:GCEPersistentDiskVolumeSource gitRepo:GitRepoVolumeSource "
     "glusterfs:GlusterfsVolumeSource hostPath:HostPathVolumeSource image:ImageVolumeSource "
     "iscsi:ISCSIVolumeSource name:s nfs:NFSVolumeSource "
     "persistentVolumeClaim:PersistentVolumeClaimVolumeSource "
     "photonPersistentDisk:PhotonPersistentDiskVolumeSource portworxVolume:PortworxVolumeSource "
     "projected:ProjectedVolumeSource quobyte:QuobyteVolumeSource rbd:RBDVolumeSource "
     "scaleIO:ScaleIOVolumeSource secret:SecretVolumeSource storageos:StorageOSVolumeSource "
     "vsphereVolume:VsphereVirtualDiskVolumeSource"},
    {"VolumeDevice",
     "devicePath:s name:s"},
    {"VolumeHealthCondition",
     "message:s reason:s status:s"},
    {"VolumeHealthStatus",
     "healthConditions:[VolumeHealthCondition!status,reason~ lastTransitionTime:s"},
    {"VolumeMount",
     "bindMountOptions:[s% mountPath:s mountPropagation:s name:s readOnly:b recursiveReadOnly:s "
     "subPath:s subPathExpr:s"},
    {"VolumeMountStatus",
     "mountPath:s name:s readOnly:b recursiveReadOnly:s volumeStatus:VolumeStatus"},
    {"VolumeNodeAffinity",
     "required:NodeSelector"},
    {"VolumeProjection",
     "clusterTrustBundle:ClusterTrustBundleProjection configMap:ConfigMapProjection "
     "downwardAPI:DownwardAPIProjection podCertificate:PodCertificateProjection "
     "secret:SecretProjection serviceAccountToken:ServiceAccountTokenProjection"},
    {"VolumeResourceRequirements",
     "limits:{q requests:{q"},
    {"VolumeStatus",
     "image:ImageVolumeStatus"},
    {"VsphereVirtualDiskVolumeSource",
     "fsType:s storagePolicyID:s storagePolicyName:s volumePath:s"},
    {"WeightedPodAffinityTerm",
     "podAffinityTerm:PodAffinityTerm weight:i"},
    {"WindowsSecurityContextOptions",
     "gmsaCredentialSpec:s gmsaCredentialSpecName:s hostProcess:b runAsUserName:s"},
    {"apps.DaemonSet",
     "apiVersion:s kind:s metadata:ObjectMeta spec:apps.DaemonSetSpec status:apps.DaemonSetStatus"},
    {"apps.DaemonSetCondition",
     "lastTransitionTime:s message:s reason:s status:s type:s"},
    {"apps.DaemonSetSpec",
     "minReadySeconds:i revisionHistoryLimit:i selector:LabelSelector template:PodTemplateSpec "
     "updateStrategy:apps.DaemonSetUpdateStrategy"},
    {"apps.DaemonSetStatus",
     "collisionCount:i conditions:[apps.DaemonSetCondition!type~ currentNumberScheduled:i "
     "desiredNumberScheduled:i numberAvailable:i numberMisscheduled:i numberReady:i "
     "numberUnavailable:i observedGeneration:l updatedNumberScheduled:i"},
    {"apps.DaemonSetUpdateStrategy",
     "rollingUpdate:apps.RollingUpdateDaemonSet type:s"},
    {"apps.Deployment",
     "apiVersion:s kind:s metadata:ObjectMeta spec:apps.DeploymentSpec status:apps.DeploymentStatus"},
    {"apps.DeploymentCondition",
     "lastTransitionTime:s lastUpdateTime:s message:s reason:s status:s type:s"},
    {"apps.DeploymentSpec",
     "minReadySeconds:i paused:b progressDeadlineSeconds:i replicas:i revisionHistoryLimit:i "
     "selector:LabelSelector strategy:apps.DeploymentStrategy template:PodTemplateSpec"},
    {"apps.DeploymentStatus",
     "availableReplicas:i collisionCount:i conditions:[apps.DeploymentCondition!type~ "
     "observedGeneration:l readyReplicas:i replicas:i terminatingReplicas:i unavailableReplicas:i "
     "updatedReplicas:i"},
    {"apps.DeploymentStrategy",
     "rollingUpdate:apps.RollingUpdateDeployment type:s"},
    {"apps.ReplicaSet",
     "apiVersion:s kind:s metadata:ObjectMeta spec:apps.ReplicaSetSpec status:apps.ReplicaSetStatus"},
    {"apps.ReplicaSetCondition",
     "lastTransitionTime:s message:s reason:s status:s type:s"},
    {"apps.ReplicaSetSpec",
     "minReadySeconds:i replicas:i selector:LabelSelector template:PodTemplateSpec"},
    {"apps.ReplicaSetStatus",
     "availableReplicas:i conditions:[apps.ReplicaSetCondition!type~ fullyLabeledReplicas:i "
     "observedGeneration:l readyReplicas:i replicas:i terminatingReplicas:i"},
    {"apps.RollingUpdateDaemonSet",
     "maxSurge:q maxUnavailable:q"},
    {"apps.RollingUpdateDeployment",
     "maxSurge:q maxUnavailable:q"},
    {"apps.RollingUpdateStatefulSetStrategy",
     "maxUnavailable:q partition:i"},
    {"apps.StatefulSet",
     "apiVersion:s kind:s metadata:ObjectMeta spec:apps.StatefulSetSpec status:apps.StatefulSetStatus"},
    {"apps.StatefulSetCondition",
     "lastTransitionTime:s message:s reason:s status:s type:s"},
    {"apps.StatefulSetOrdinals",
     "start:i"},
    {"apps.StatefulSetPersistentVolumeClaimRetentionPolicy",
     "whenDeleted:s whenScaled:s"},
    {"apps.StatefulSetSpec",
     "minReadySeconds:i ordinals:apps.StatefulSetOrdinals "
     "persistentVolumeClaimRetentionPolicy:apps.StatefulSetPersistentVolumeClaimRetentionPolicy "
     "podManagementPolicy:s replicas:i revisionHistoryLimit:i selector:LabelSelector serviceName:s "
     "template:PodTemplateSpec updateStrategy:apps.StatefulSetUpdateStrategy "
     "volumeClaimTemplates:[PersistentVolumeClaim"},
    {"apps.StatefulSetStatus",
     "availableReplicas:i collisionCount:i conditions:[apps.StatefulSetCondition!type~ "
     "currentReplicas:i currentRevision:s observedGeneration:l readyReplicas:i replicas:i "
     "updateRevision:s updatedReplicas:i"},
    {"apps.StatefulSetUpdateStrategy",
     "rollingUpdate:apps.RollingUpdateStatefulSetStrategy type:s"},
    {"authentication.BoundObjectReference",
     "apiVersion:s kind:s name:s uid:s"},
    {"authentication.SelfSubjectReview",
     "apiVersion:s kind:s metadata:ObjectMeta status:authentication.SelfSubjectReviewStatus"},
    {"authentication.SelfSubjectReviewStatus",
     "userInfo:authentication.UserInfo"},
    {"authentication.TokenRequest",
     "apiVersion:s kind:s metadata:ObjectMeta spec:authentication.TokenRequestSpec "
     "status:authentication.TokenRequestStatus"},
    {"authentication.TokenRequestSpec",
     "attestations:{[s audiences:[s boundObjectRef:authentication.BoundObjectReference "
     "expirationSeconds:l"},
    {"authentication.TokenRequestStatus",
     "expirationTimestamp:s token:s"},
    {"authentication.UserInfo",
     "extra:{[s groups:[s uid:s username:s"},
    {"authorization.FieldSelectorAttributes",
     "rawSelector:s requirements:[FieldSelectorRequirement"},
    {"authorization.LabelSelectorAttributes",
     "rawSelector:s requirements:[LabelSelectorRequirement"},
    {"authorization.LocalSubjectAccessReview",
     "apiVersion:s kind:s metadata:ObjectMeta spec:authorization.SubjectAccessReviewSpec "
     "status:authorization.SubjectAccessReviewStatus"},
    {"authorization.NonResourceAttributes",
     "path:s verb:s"},
    {"authorization.NonResourceRule",
     "nonResourceURLs:[s verbs:[s"},
    {"authorization.ResourceAttributes",
     "fieldSelector:authorization.FieldSelectorAttributes group:s "
     "labelSelector:authorization.LabelSelectorAttributes name:s namespace:s resource:s subresource:s "
     "verb:s version:s"},
    {"authorization.ResourceRule",
     "apiGroups:[s resourceNames:[s resources:[s verbs:[s"},
    {"authorization.SelfSubjectAccessReview",
     "apiVersion:s kind:s metadata:ObjectMeta spec:authorization.SelfSubjectAccessReviewSpec "
     "status:authorization.SubjectAccessReviewStatus"},
    {"authorization.SelfSubjectAccessReviewSpec",
     "nonResourceAttributes:authorization.NonResourceAttributes "
     "resourceAttributes:authorization.ResourceAttributes"},
    {"authorization.SelfSubjectRulesReview",
     "apiVersion:s kind:s metadata:ObjectMeta spec:authorization.SelfSubjectRulesReviewSpec "
     "status:authorization.SubjectRulesReviewStatus"},
    {"authorization.SelfSubjectRulesReviewSpec",
     "namespace:s"},
    {"authorization.SubjectAccessReview",
     "apiVersion:s kind:s metadata:ObjectMeta spec:authorization.SubjectAccessReviewSpec "
     "status:authorization.SubjectAccessReviewStatus"},
    {"authorization.SubjectAccessReviewSpec",
     "extra:{[s groups:[s nonResourceAttributes:authorization.NonResourceAttributes "
     "resourceAttributes:authorization.ResourceAttributes uid:s user:s"},
    {"authorization.SubjectAccessReviewStatus",
     "allowed:b denied:b evaluationError:s reason:s"},
    {"authorization.SubjectRulesReviewStatus",
     "evaluationError:s incomplete:b nonResourceRules:[authorization.NonResourceRule "
     "resourceRules:[authorization.ResourceRule"},
    {"batch.CronJob",
     "apiVersion:s kind:s metadata:ObjectMeta spec:batch.CronJobSpec status:batch.CronJobStatus"},
    {"batch.CronJobSpec",
     "concurrencyPolicy:s failedJobsHistoryLimit:i jobTemplate:batch.JobTemplateSpec schedule:s "
     "startingDeadlineSeconds:l successfulJobsHistoryLimit:i suspend:b timeZone:s"},
    {"batch.CronJobStatus",
     "active:[ObjectReference lastScheduleTime:s lastSuccessfulTime:s"},
    {"batch.Job",
     "apiVersion:s kind:s metadata:ObjectMeta spec:batch.JobSpec status:batch.JobStatus"},
    {"batch.JobCondition",
     "lastProbeTime:s lastTransitionTime:s message:s reason:s status:s type:s"},
    {"batch.JobSchedulingConfiguration",
     "disruptionMode:scheduling.WorkloadPodGroupDisruptionMode "
     "resourceClaims:[scheduling.WorkloadPodGroupResourceClaim!name~ "
     "schedulingConstraints:scheduling.WorkloadPodGroupSchedulingConstraints "
     "schedulingPolicy:scheduling.WorkloadPodGroupSchedulingPolicy"},
    {"batch.JobSpec",
     "activeDeadlineSeconds:l backoffLimit:i backoffLimitPerIndex:i completionMode:s completions:i "
     "managedBy:s manualSelector:b maxFailedIndexes:i parallelism:i "
     "podFailurePolicy:batch.PodFailurePolicy podReplacementPolicy:s "
     "scheduling:batch.JobSchedulingConfiguration selector:LabelSelector "
     "successPolicy:batch.SuccessPolicy suspend:b template:PodTemplateSpec ttlSecondsAfterFinished:i"},
    {"batch.JobStatus",
     "active:i completedIndexes:s completionTime:s conditions:[batch.JobCondition~type failed:i "
     "failedIndexes:s ready:i startTime:s succeeded:i terminating:i "
     "uncountedTerminatedPods:batch.UncountedTerminatedPods"},
    {"batch.JobTemplateSpec",
     "metadata:ObjectMeta spec:batch.JobSpec"},
    {"batch.PodFailurePolicy",
     "rules:[batch.PodFailurePolicyRule"},
    {"batch.PodFailurePolicyOnExitCodesRequirement",
     "containerName:s operator:s values:[i%"},
    {"batch.PodFailurePolicyOnPodConditionsPattern",
     "status:s type:s"},
    {"batch.PodFailurePolicyRule",
     "action:s onExitCodes:batch.PodFailurePolicyOnExitCodesRequirement "
     "onPodConditions:[batch.PodFailurePolicyOnPodConditionsPattern"},
    {"batch.SuccessPolicy",
     "rules:[batch.SuccessPolicyRule"},
    {"batch.SuccessPolicyRule",
     "succeededCount:i succeededIndexes:s"},
    {"batch.UncountedTerminatedPods",
     "failed:[s% succeeded:[s%"},
    {"coordination.Lease",
     "apiVersion:s kind:s metadata:ObjectMeta spec:coordination.LeaseSpec"},
    {"coordination.LeaseSpec",
     "acquireTime:s holderIdentity:s leaseDurationSeconds:i leaseTransitions:i preferredHolder:s "
     "renewTime:s strategy:s"},
    {"discovery.Endpoint",
     "addresses:[s% conditions:discovery.EndpointConditions deprecatedTopology:{s "
     "hints:discovery.EndpointHints hostname:s nodeName:s targetRef:ObjectReference zone:s"},
    {"discovery.EndpointConditions",
     "ready:b serving:b terminating:b"},
    {"discovery.EndpointHints",
     "forNodes:[discovery.ForNode forZones:[discovery.ForZone"},
    {"discovery.EndpointPort",
     "# appProtocol:s name:s port:i protocol:s"},
    {"discovery.EndpointSlice",
     "addressType:s apiVersion:s endpoints:[discovery.Endpoint kind:s metadata:ObjectMeta "
     "ports:[discovery.EndpointPort"},
    {"discovery.ForNode",
     "name:s"},
    {"discovery.ForZone",
     "name:s"},
    {"events.Event",
     "action:s apiVersion:s deprecatedCount:i deprecatedFirstTimestamp:s deprecatedLastTimestamp:s "
     "deprecatedSource:EventSource eventTime:s kind:s metadata:ObjectMeta note:s reason:s "
     "regarding:ObjectReference related:ObjectReference reportingController:s reportingInstance:s "
     "series:events.EventSeries type:s"},
    {"events.EventSeries",
     "count:i lastObservedTime:s"},
    {"policy.Eviction",
     "apiVersion:s deleteOptions:DeleteOptions kind:s metadata:ObjectMeta"},
    {"policy.PodDisruptionBudget",
     "apiVersion:s kind:s metadata:ObjectMeta spec:policy.PodDisruptionBudgetSpec "
     "status:policy.PodDisruptionBudgetStatus"},
    {"policy.PodDisruptionBudgetSpec",
     "maxUnavailable:q minAvailable:q selector:LabelSelector unhealthyPodEvictionPolicy:s"},
    {"policy.PodDisruptionBudgetStatus",
     "conditions:[Condition!type~ currentHealthy:i desiredHealthy:i disruptedPods:{s "
     "disruptionsAllowed:i expectedPods:i observedGeneration:l"},
    {"rbac.AggregationRule",
     "clusterRoleSelectors:[LabelSelector"},
    {"rbac.ClusterRole",
     "aggregationRule:rbac.AggregationRule apiVersion:s kind:s metadata:ObjectMeta "
     "rules:[rbac.PolicyRule"},
    {"rbac.ClusterRoleBinding",
     "apiVersion:s kind:s metadata:ObjectMeta roleRef:rbac.RoleRef subjects:[rbac.Subject"},
    {"rbac.PolicyRule",
     "apiGroups:[s nonResourceURLs:[s resourceNames:[s resources:[s verbs:[s"},
    {"rbac.Role",
     "apiVersion:s kind:s metadata:ObjectMeta rules:[rbac.PolicyRule"},
    {"rbac.RoleBinding",
     "apiVersion:s kind:s metadata:ObjectMeta roleRef:rbac.RoleRef subjects:[rbac.Subject"},
    {"rbac.RoleRef",
     "# apiGroup:s kind:s name:s"},
    {"rbac.Subject",
     "# apiGroup:s kind:s name:s namespace:s"},
    {"scheduling.PriorityClass",
     "apiVersion:s description:s globalDefault:b kind:s metadata:ObjectMeta preemptionPolicy:s value:i"},
    {"scheduling.TopologyConstraint",
     "key:s"},
    {"scheduling.WorkloadPodGroupAllDisruptionMode",
     ""},
    {"scheduling.WorkloadPodGroupBasicSchedulingPolicy",
     ""},
    {"scheduling.WorkloadPodGroupDisruptionMode",
     "all:scheduling.WorkloadPodGroupAllDisruptionMode "
     "single:scheduling.WorkloadPodGroupSingleDisruptionMode"},
    {"scheduling.WorkloadPodGroupGangSchedulingPolicy",
     "minCount:i"},
    {"scheduling.WorkloadPodGroupResourceClaim",
     "name:s resourceClaimName:s resourceClaimTemplateName:s"},
    {"scheduling.WorkloadPodGroupSchedulingConstraints",
     "topology:[scheduling.TopologyConstraint"},
    {"scheduling.WorkloadPodGroupSchedulingPolicy",
     "basic:scheduling.WorkloadPodGroupBasicSchedulingPolicy "
     "gang:scheduling.WorkloadPodGroupGangSchedulingPolicy"},
    {"scheduling.WorkloadPodGroupSingleDisruptionMode",
     ""},
    {"storage.VolumeAttachment",
     "apiVersion:s kind:s metadata:ObjectMeta spec:storage.VolumeAttachmentSpec "
     "status:storage.VolumeAttachmentStatus"},
    {"storage.VolumeAttachmentSource",
     "inlineVolumeSpec:PersistentVolumeSpec persistentVolumeName:s"},
    {"storage.VolumeAttachmentSpec",
     "attacher:s nodeName:s source:storage.VolumeAttachmentSource"},
    {"storage.VolumeAttachmentStatus",
     "attachError:storage.VolumeError attached:b attachmentMetadata:{s detachError:storage.VolumeError"},
    {"storage.VolumeError",
     "errorCode:i message:s time:s"},
    // clang-format on
}};

}  // namespace

std::string_view fields_of(std::string_view type) {
  const auto found =
      std::lower_bound(table.begin(), table.end(), type,
                       [](const auto& row, std::string_view wanted) { return row.first < wanted; });
  return found != table.end() && found->first == type ? found->second : std::string_view();
}

}  // namespace ferryman::sandbox
