internal import CLibXML
internal import CLibYAML

/// The linked libraries for reading documents.
public enum DocumentLibraries {
    /// The version of libxml2, such as `2.9.14`.
    public static var xmlVersion: String {
        // A number of five or more digits, such as 20914; some builds append more text.
        let digits = unsafe String(cString: ferry_xml_version()).prefix { $0.isNumber }
        guard let number = Int(digits) else { return String(digits) }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }

    /// The version of libyaml, such as `0.2.5`.
    public static var yamlVersion: String { unsafe String(cString: yaml_get_version_string()) }
}
