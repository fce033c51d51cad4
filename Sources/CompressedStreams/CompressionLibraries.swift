internal import CZlib
internal import CZstd

/// The linked compression libraries.
public enum CompressionLibraries {
    /// The version of zlib, such as `1.2.13`.
    public static var zlibVersion: String { String(cString: CZlib.zlibVersion()) }

    /// The version of Zstandard, such as `1.5.4`.
    public static var zstdVersion: String { String(cString: ZSTD_versionString()) }
}
