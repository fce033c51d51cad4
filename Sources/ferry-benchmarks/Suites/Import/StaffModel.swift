/// The model of the import benchmarks: employees with a unique number, the departments that they work for,
/// and projects that have several of them.
enum StaffModel: String, CaseIterable {
    case plain = "Staff"
    /// Employees have a manager, who is an employee.
    case managed = "ManagedStaff"
    /// The members of a project, and the projects of an employee, are in order.
    case ordered = "OrderedStaff"

    /// Writes the bundle as Xcode keeps it.
    ///
    /// - Returns: its path.
    func write(to workspace: Workspace) throws -> String {
        try workspace.write(contents, to: "\(rawValue).xcdatamodeld/\(rawValue).xcdatamodel/contents")
        return workspace.file("\(rawValue).xcdatamodeld")
    }

    private var contents: String {
        let managers =
            self != .managed
            ? ""
            : """
                    <relationship name="manager" optional="YES" maxCount="1" deletionRule="Nullify" \
            destinationEntity="Employee" inverseName="team" inverseEntity="Employee"/>
                    <relationship name="team" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="Employee" inverseName="manager" inverseEntity="Employee"/>

            """
        let order = self == .ordered ? " ordered=\"YES\"" : ""
        return """
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
            \(managers)\
                    <relationship name="projects" optional="YES" toMany="YES"\(order) deletionRule="Nullify" \
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
                    <relationship name="members" optional="YES" toMany="YES"\(order) deletionRule="Nullify" \
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
}
