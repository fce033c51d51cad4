/// The versions of a model without anything but values, and one in which an attribute has become an entity.
enum ContactModels {
    enum Version: String, CaseIterable {
        case original = "Contacts"
        /// Values are computed.
        case computed = "Contacts 2"
        /// Cities are objects.
        case split = "Contacts 3"
    }

    static let bundle = "Contacts.xcdatamodeld"

    /// Writes the bundle as Xcode keeps it, and gives its path.
    static func write(to workspace: Workspace) throws -> String {
        for version in Version.allCases {
            try workspace.write(contents(of: version), to: "\(bundle)/\(version.rawValue).xcdatamodel/contents")
        }
        return workspace.file(bundle)
    }

    private static func contents(of version: Version) -> String {
        let city =
            version == .split
            ? #"<relationship name="city" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="City" "#
                + #"inverseName="contacts" inverseEntity="Contact"/>"#
            : #"<attribute name="city" optional="YES" attributeType="String"/>"#
        let cities = """
                <entity name="City" representedClassName="City" syncable="YES" codeGenerationType="class">
                    <attribute name="name" attributeType="String"/>
                    <relationship name="contacts" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Contact" inverseName="city" inverseEntity="Contact"/>
                </entity>
            """
        let label =
            version == .computed
            ? #"<attribute name="label" optional="YES" attributeType="String"/>"# : ""
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
            systemVersion="23D56" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
            userDefinedModelVersionIdentifier="\(version.rawValue)">
                \(version == .split ? cities : "")
                <entity name="Contact" representedClassName="Contact" syncable="YES" codeGenerationType="class">
                    <attribute name="amount" optional="YES" attributeType="Double"/>
                    \(city)
                    <attribute name="code" attributeType="String"/>
                    <attribute name="created" optional="YES" attributeType="Date"/>
                    <attribute name="firstName" optional="YES" attributeType="String"/>
                    <attribute name="isActive" attributeType="Boolean" defaultValueString="NO"/>
                    \(label)
                    <attribute name="lastName" optional="YES" attributeType="String"/>
                    <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
                    <attribute name="reference" optional="YES" attributeType="UUID"/>
                </entity>
            </model>

            """
    }
}
