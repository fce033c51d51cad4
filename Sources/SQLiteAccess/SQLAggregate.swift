/// The state of an aggregate function for one group of rows.
public protocol SQLAggregate: AnyObject {
    /// Adds the arguments of one row.
    /// - Throws: any error, which becomes that of the statement.
    func step(_ arguments: borrowing FunctionArguments) throws

    /// Returns the group's value, also for a group without rows.
    /// - Throws: any error, which becomes that of the statement.
    func result() throws -> SQLiteValue
}
