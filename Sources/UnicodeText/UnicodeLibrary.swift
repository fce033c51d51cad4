internal import CICU

/// ICU, the library for Unicode and languages.
public enum UnicodeLibrary {
    /// The version, such as `72.1`.
    public static var version: String {
        var text = [CChar](repeating: 0, count: 20)
        unsafe ferry_icu_version(&text)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
