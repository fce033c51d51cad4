internal import CNettle

/// Nettle, the linked library that computes SHA-256.
public enum DigestLibrary {
    /// The version of the library, such as `3.8`.
    public static var version: String { "\(nettle_version_major()).\(nettle_version_minor())" }
}
