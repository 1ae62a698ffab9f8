import type { Device, DeviceList } from '@app/contract/accounts/settings';
import { useState } from 'react';
import type { Failure } from '../../http/call-api.ts';
import { callWhenReady } from '../../http/call-when-ready.ts';

export type Devices = ReturnType<typeof useDevices>;

export const useDevices = (initialDevices: Device[]) => {
  const [devices, setDevices] = useState(initialDevices);
  const [isRefreshing, setRefreshing] = useState(false);

  const refresh = async (): Promise<Failure | null> => {
    setRefreshing(true);
    const reply = await callWhenReady<DeviceList>('GET', '/api/auth/sessions');
    setRefreshing(false);
    if (!reply.ok) return reply;
    setDevices(reply.value.devices);
    return null;
  };

  return { devices, isRefreshing, refresh };
};
