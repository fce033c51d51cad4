/// The versions of the benchmarks' model: orders with ten attributes, their customer, and their tags.
enum OrderModels {
    enum Version: String, CaseIterable {
        case original = "Orders"
        /// An attribute has another name, and one that could be empty has a value: every row changes.
        case transformed = "Orders 2"
        /// An attribute has another name, and one is new: no row changes.
        case extended = "Orders 3"
    }

    static let bundle = "Orders.xcdatamodeld"

    /// Writes the bundle as Xcode keeps it.
    ///
    /// - Returns: its path.
    static func write(to workspace: Workspace) throws -> String {
        for version in Version.allCases {
            try workspace.write(contents(of: version), to: "\(bundle)/\(version.rawValue).xcdatamodel/contents")
        }
        return workspace.file(bundle)
    }

    private static func contents(of version: Version) -> String {
        let quantity =
            version == .transformed
            ? #"<attribute name="quantity" attributeType="Integer 32" defaultValueString="1"/>"#
            : #"<attribute name="quantity" optional="YES" attributeType="Integer 32"/>"#
        let title =
            version == .original
            ? #"<attribute name="title" attributeType="String"/>"#
            : #"<attribute name="subject" attributeType="String" elementID="title"/>"#
        let channel =
            version == .extended
            ? #"<attribute name="channel" attributeType="Integer 16" defaultValueString="1"/>"# : ""
        return """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
            systemVersion="23D56" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
            userDefinedModelVersionIdentifier="\(version.rawValue)">
                <entity name="Customer" representedClassName="Customer" syncable="YES" codeGenerationType="class">
                    <attribute name="name" attributeType="String"/>
                    <relationship name="orders" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Order" inverseName="customer" inverseEntity="Order"/>
                </entity>
                <entity name="Order" representedClassName="Order" syncable="YES" codeGenerationType="class">
                    \(channel)
                    <attribute name="isPaid" attributeType="Boolean" defaultValueString="NO"/>
                    <attribute name="placed" optional="YES" attributeType="Date"/>
                    <attribute name="price" optional="YES" attributeType="Decimal"/>
                    <attribute name="priority" attributeType="Integer 16" defaultValueString="0"/>
                    \(quantity)
                    <attribute name="ratio" optional="YES" attributeType="Float"/>
                    <attribute name="reference" optional="YES" attributeType="UUID"/>
                    <attribute name="serial" attributeType="Integer 64" defaultValueString="0"/>
                    \(title)
                    <attribute name="weight" optional="YES" attributeType="Double"/>
                    <relationship name="customer" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Customer" inverseName="orders" inverseEntity="Customer"/>
                    <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Tag" inverseName="orders" inverseEntity="Tag"/>
                    <fetchIndex name="byPlaced">
                        <fetchIndexElement property="placed" type="Binary" order="ascending"/>
                    </fetchIndex>
                </entity>
                <entity name="Tag" representedClassName="Tag" syncable="YES" codeGenerationType="class">
                    <attribute name="name" attributeType="String"/>
                    <relationship name="orders" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Order" inverseName="tags" inverseEntity="Order"/>
                </entity>
            </model>

            """
    }
}
