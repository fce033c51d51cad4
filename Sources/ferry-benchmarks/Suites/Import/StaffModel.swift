/// The model of the import benchmarks: employees with a unique number, the departments that they work for,
/// and projects that have several of them.
enum StaffModel {
    static let bundle = "Staff.xcdatamodeld"

    /// Writes the bundle as Xcode keeps it.
    ///
    /// - Returns: its path.
    static func write(to workspace: Workspace) throws -> String {
        try workspace.write(contents, to: "\(bundle)/Staff.xcdatamodel/contents")
        return workspace.file(bundle)
    }

    private static let contents = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" \
        systemVersion="23D56" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
            <entity name="Department" representedClassName="Department" syncable="YES" codeGenerationType="class">
                <attribute name="code" attributeType="String"/>
                <attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="employees" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Employee" inverseName="department" inverseEntity="Employee"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="code"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Employee" representedClassName="Employee" syncable="YES" codeGenerationType="class">
                <attribute name="email" optional="YES" attributeType="String"/>
                <attribute name="hired" attributeType="Date"/>
                <attribute name="name" attributeType="String"/>
                <attribute name="number" attributeType="Integer 64" defaultValueString="0"/>
                <attribute name="remark" optional="YES" attributeType="String"/>
                <attribute name="salary" optional="YES" attributeType="Decimal"/>
                <relationship name="department" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Department" inverseName="employees" inverseEntity="Department"/>
                <relationship name="projects" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Project" inverseName="members" inverseEntity="Project"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="number"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <entity name="Project" representedClassName="Project" syncable="YES" codeGenerationType="class">
                <attribute name="code" attributeType="String"/>
                <attribute name="title" optional="YES" attributeType="String"/>
                <relationship name="members" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Employee" inverseName="projects" inverseEntity="Employee"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="code"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
        </model>

        """
}
