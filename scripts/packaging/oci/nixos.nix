# Ridethrough on NixOS, for remote servers: the container image as a service, with the limits of compose.yaml. The daemon itself
# starts its workers with programs of /usr/bin, which NixOS does not have. docs/install.md, "NixOS".
{ lib, ... }:
{
  virtualisation.oci-containers = {
    backend = "podman";
    containers.ridethrough = {
      image = "localhost/ridethrough:local";
      # It is loaded by hand: podman load.
      pull = "never";
      user = "900:900";
      volumes = [
        "/etc/ridethrough:/etc/ridethrough:ro"
        "ridethrough-history:/var/lib/ridethrough"
      ];
      ports = [ "127.0.0.1:9191:9191" ];
      extraOptions = [
        "--init=true"
        "--read-only=true"
        "--cap-drop=ALL"
        "--security-opt=no-new-privileges:true"
        "--tmpfs=/tmp"
        "--memory=1g"
        "--pids-limit=1024"
        "--stop-timeout=1800"
      ];
    };
  };
  # A running shutdown is finished before the container ends.
  systemd.services.podman-ridethrough.serviceConfig.TimeoutStopSec = lib.mkForce "31min";
}
