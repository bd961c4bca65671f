package io.podledger.ipamd.cni;

import com.google.protobuf.InvalidProtocolBufferException;
import io.podledger.projections.Command;
import io.podledger.shim.CniFrame;
import io.podledger.shim.CniRequest;
import java.util.Optional;

/// Reads what the plugin wrote down for later.
public final class SpooledDel {
    private SpooledDel() {}

    /// @param bytes one request frame
    /// @throws IllegalArgumentException saying why they are no spooled DEL
    public static Command.Del read(byte[] bytes) {
        try {
            CniRequest request = CniRequest.parseFrom(CniFrame.payload(bytes));
            if (!request.hasSpooled()) {
                throw new IllegalArgumentException("it does not say when it was written");
            }
            if (CniCallReader.read(request) instanceof CniCall.Del del) {
                Command.SpoolTime time =
                        new Command.SpoolTime(
                                request.getSpooled().getBootId(),
                                request.getSpooled().getBoottimeMs());
                return CniService.delCommand(del, Optional.of(time));
            }
            throw new IllegalArgumentException("it is no DEL");
        } catch (InvalidProtocolBufferException | CniException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
