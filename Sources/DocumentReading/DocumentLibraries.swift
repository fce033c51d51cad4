internal import CLibXML
internal import CLibYAML

/// The libraries that read documents, as they are linked.
public enum DocumentLibraries {
    /// libxml2's version, as in `2.9.14`.
    public static var xmlVersion: String {
        // A number of five digits or more, as in 20914; some builds say more behind it.
        let digits = unsafe String(cString: ferry_xml_version()).prefix { $0.isNumber }
        guard let number = Int(digits) else { return String(digits) }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }

    /// libyaml's version, as in `0.2.5`.
    public static var yamlVersion: String { unsafe String(cString: yaml_get_version_string()) }
}
